/** A sample may be a hundred thousand people in memory: few are worked on at a time, and each until nothing is needed of it any more. */
import { WorkQueue } from '../http/work-queue.ts';
import type { Reader } from './right.ts';

const samples = new WorkQueue({
  capacity: 2,
  each: 2,
  mostWaiting: 50,
  mostWaitingEach: 40,
  patienceMs: 30_000,
  enough: 'SENDING_TOO_MUCH',
});

export const withSample = <T>({ user }: Reader, work: () => Promise<T>): Promise<T> =>
  samples.inTurn(user._id?.toHexString(), undefined, work);
