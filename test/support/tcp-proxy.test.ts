import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { TcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

const soonMs = 5_000;

/** A proxy before a server that answers `<what was said>` to whatever is said. */
async function proxied() {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      heard.push(data.toString());
      socket.write(`<${data.toString()}>`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = await TcpProxy.before((server.address() as AddressInfo).port);
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  return { proxy, heard };
}

function client(port: number) {
  const socket: Socket = connect({ host: '127.0.0.1', port });
  let answers = '';
  let closed = false;
  socket.on('error', () => {});
  socket.on('close', () => (closed = true));
  socket.on('data', (data) => (answers += data.toString()));
  onTestFinished(() => void socket.destroy());
  return {
    say: (text: string) => void socket.write(text),
    answered: (text: string) => until(`${text} is answered`, soonMs, () => answers === text),
    answers: () => answers,
    closed: () => until('the connection is closed', soonMs, () => closed),
  };
}

test('it passes both ways', async () => {
  const { proxy } = await proxied();
  const one = client(proxy.port);
  one.say('hello');
  await one.answered('<hello>');
  expect(proxy.open).toBe(1);
});

test('cut: both ends are dropped, new ones refused, until it is restored', async () => {
  const { proxy } = await proxied();
  const one = client(proxy.port);
  one.say('hello');
  await one.answered('<hello>');
  proxy.cut();
  await one.closed();
  expect(proxy.open).toBe(0);
  await client(proxy.port).closed();
  expect(proxy.refused).toBe(1);
  proxy.restore();
  const other = client(proxy.port);
  other.say('again');
  await other.answered('<again>');
});

test('stalled: connections are taken, nothing passes, and restoring it passes all of it', async () => {
  const { proxy, heard } = await proxied();
  const early = client(proxy.port);
  early.say('a');
  await early.answered('<a>');
  proxy.stall();
  const late = client(proxy.port);
  early.say('b');
  late.say('c');
  await until('both are connected', soonMs, () => proxy.open === 2);
  expect(heard).toEqual(['a']);
  proxy.restore();
  await early.answered('<a><b>');
  await late.answered('<c>');
});

test('cut after so many bytes of answers', async () => {
  const { proxy } = await proxied();
  const one = client(proxy.port);
  proxy.cutAfter(4);
  one.say('hello');
  await one.closed();
  expect(one.answers()).toBe('<hel');
});

test('the one connection on which certain words go by is held, before they reach the server', async () => {
  const { proxy, heard } = await proxied();
  const [one, other] = [client(proxy.port), client(proxy.port)];
  const held = proxy.hold([(data) => data.includes('begin'), (data) => data.includes('commit')]);
  other.say('commit');
  await other.answered('<commit>');
  expect(held.isMet()).toBe(false);
  one.say('begin');
  await one.answered('<begin>');
  one.say('commit');
  await until('it is held', soonMs, held.isMet);
  other.say('more');
  await other.answered('<commit><more>');
  expect(heard).toEqual(['commit', 'begin', 'more']);
  held.release();
  await one.answered('<begin><commit>');
});

test('held before the answer: the server has heard it, and the client does not know', async () => {
  const { proxy, heard } = await proxied();
  const one = client(proxy.port);
  const held = proxy.hold([(data) => data.includes('commit')], 'answer');
  one.say('commit');
  await until('the server has heard it', soonMs, () => heard.includes('commit'));
  expect(held.isMet()).toBe(true);
  expect(one.answers()).toBe('');
  proxy.cut();
  await one.closed();
  expect(one.answers()).toBe('');
  held.release();
});
