import { describe, expect, onTestFinished, test } from 'vitest';
import { ReconcilerFailure } from '../../../src/domain/failure.ts';
import type { ProbeTarget } from '../../../src/domain/verdict.ts';
import {
  closingPeer,
  cuttingProxy,
  httpPeer,
  type Peer,
  refusingPort,
  resettingPeer,
  silentPeer,
} from '../../support/tcp-peers.ts';
import { until } from '../../support/until.ts';
import { type Bench, caught, never, sibling, slackMs } from './bench.ts';
import { expectUnreachable } from './unreachable.ts';

const noNetwork = 'nothing goes over a network here';

/** Sources that do not answer, and callers that do not wait. */
export function outageCases(bench: Bench): void {
  describe('a source that cannot be reached', () => {
    const peers: readonly (readonly [string, () => Promise<Peer>])[] = [
      ['accepts and is silent', silentPeer],
      ['hangs up', closingPeer],
      ['resets the connection', resettingPeer],
      ['speaks HTTP', httpPeer],
    ];
    test.for(peers)('B11 a peer that %s is unreachable, in time, and no socket stays', async ([, start_], context) => {
      if (bench.world.network === undefined) return context.skip(noNetwork);
      const peer = await start_();
      onTestFinished(() => peer.close());
      await expectUnreachable(bench.world, peer.port);
      expect(peer.accepted()).toBeGreaterThan(0);
      await until('no connection is left', slackMs, () => peer.open() === 0);
    });

    test('B01 a refused connection is unreachable, and nothing is absent', async (context) => {
      if (bench.world.network === undefined) return context.skip(noNetwork);
      await expectUnreachable(bench.world, await refusingPort());
    });

    test('B01 B02 a source that stops answers nothing, and everything again when it is back', async (context) => {
      if (bench.world.breakDown === undefined) return context.skip('this system cannot be stopped');
      const target = await bench.made();
      const mend = await bench.world.breakDown();
      try {
        const failure = await caught(bench.source.probe([target], [], never));
        expect(['SourceUnreachable', 'SourceUnavailable']).toContain(failure.type);
      } finally {
        await mend();
      }
      await until('the source answers again', slackMs, async () => {
        const back = await bench.source.probe([target], [], never).catch(() => undefined);
        return back?.answers[0]?.answer === 'present';
      });
    });

    test('B05 B31 a connection cut at any byte gives the whole truth or a failure', async (context) => {
      const { network } = bench.world;
      if (network === undefined) return context.skip(noNetwork);
      const there = await bench.made();
      const gone: ProbeTarget = { ...there, path: sibling(there.path, 'gone') };
      const targets = [there, gone, there, gone];
      const truth = (await bench.ask(...targets)).map(({ answer }) => answer);
      let bytes = 1;
      let whole = false;
      for (; !whole && bytes < 64_000; bytes = Math.ceil(bytes * 1.12) + 1) {
        const proxy = await cuttingProxy(network.port, bytes);
        const cut = network.openAt(proxy.port);
        try {
          const { answers } = await cut.probe(targets, [there], never);
          expect(answers.map(({ answer }) => answer)).toEqual(truth);
          whole = true;
        } catch (error) {
          if (!(error instanceof ReconcilerFailure)) throw error;
          expect(['SourceUnreachable', 'SourceUnavailable']).toContain(error.type);
        } finally {
          await cut.close();
          await proxy.close();
        }
      }
      expect(whole, 'the last cut came after the whole answer').toBe(true);
    });
  });

  describe('cancellation', () => {
    test('a call that is cancelled beforehand opens nothing', async (context) => {
      const { network } = bench.world;
      if (network === undefined) return context.skip(noNetwork);
      const peer = await silentPeer();
      onTestFinished(() => peer.close());
      const cancelled = network.openAt(peer.port);
      onTestFinished(() => cancelled.close());
      const reason = new Error('cancelled beforehand');
      await expect(cancelled.check([], AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(peer.accepted()).toBe(0);
    });

    test('a call that is cancelled ends at once and leaves no socket', async (context) => {
      const { network } = bench.world;
      if (network === undefined) return context.skip(noNetwork);
      const peer = await silentPeer();
      onTestFinished(() => peer.close());
      const cancelled = network.openAt(peer.port);
      onTestFinished(() => cancelled.close());
      const controller = new AbortController();
      const target: ProbeTarget = { kind: bench.world.makers[0].kind, path: ['a', 'b'] };
      const calls = Array.from({ length: 9 }, () => cancelled.probe([target], [], controller.signal));
      const outcomes = Promise.allSettled(calls);
      await until('a connection is open', slackMs, () => peer.open() > 0);
      const reason = new Error('cancelled in the middle');
      controller.abort(reason);
      for (const outcome of await outcomes) expect(outcome).toEqual({ status: 'rejected', reason });
      await until('no connection is left', slackMs, () => peer.open() === 0);
    });

    test('a source answers the next question after a cancelled one', async () => {
      const target = await bench.made();
      for (let turn = 0; turn < 5; turn += 1) {
        const controller = new AbortController();
        const asked = bench.source.probe([target], [], controller.signal).catch(() => undefined);
        setImmediate(() => controller.abort());
        await asked;
        expect(await bench.askOne(target)).toMatchObject({ answer: 'present' });
      }
    });

    test('nothing is answered after closing', async () => {
      const closed = bench.world.open();
      await closed.check([], never);
      await closed.close();
      await closed.close();
      await expect(closed.check([], never)).rejects.toMatchObject({ type: 'SourceUnavailable' });
    });
  });
}
