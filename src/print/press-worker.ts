/** The side of the press that draws. One job at a time; typefaces stay open from one to the next. */
import { Writable } from 'node:stream';
import { parentPort } from 'node:worker_threads';
import { examineSheet } from './examine.ts';
import type { FromThread, Job, ToThread } from './press.ts';
import { renderCoupons } from './render-coupons.ts';

const port = parentPort;
if (!port) throw new Error('this file runs in a thread');
const post = (message: FromThread) => port.postMessage(message);

let goOn = () => {};

/** What was drawn meanwhile goes over in one piece, once the piece before was taken. */
function paper(): Writable {
  const send = (bytes: Buffer, done: () => void) => {
    goOn = done;
    post({ kind: 'piece', bytes });
  };
  return new Writable({
    highWaterMark: 256 * 1024,
    write: (chunk: Buffer, _encoding, done) => send(chunk, done),
    writev: (chunks, done) => send(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), done),
  });
}

async function work({ what, sheet }: Job) {
  if (what === 'examine') return examineSheet(sheet);
  const onProgress = (done: number) => post({ kind: 'progress', done });
  await renderCoupons(paper(), { ...sheet, onProgress });
  return null;
}

port.on('message', (message: ToThread) => {
  if (message.kind === 'more') goOn();
  else
    work(message).then(
      (value) => post({ kind: 'done', value }),
      (error: Error) => post({ kind: 'fault', message: error.message }),
    );
});
