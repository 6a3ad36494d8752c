import { connect } from 'node:net';
import getPort from 'get-port';
import { loopback } from './embedded-source.ts';

/** An ordinary process may not listen there, and what once did is long out of use. */
const likelySilent = 1;
const answerWithinMs = 1_000; // loopback refuses at once

/** A port of loopback on which nobody listens, if possible the one from before. */
export async function silentPort(before: number = likelySilent): Promise<number> {
  return (await isSilent(before)) ? before : getPort({ host: loopback });
}

async function isSilent(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: loopback, port, timeout: answerWithinMs });
    const end = (silent: boolean) => {
      socket.destroy();
      resolve(silent);
    };
    socket.once('connect', () => end(false));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(true));
  });
}
