import { performance } from 'node:perf_hooks';
import { Writable } from 'node:stream';
import { examine, print } from '../../src/print/press.ts';
import { makeCodes, makeSheet } from './printed.ts';

/** Takes what comes; `begun` once there was something. */
function reader() {
  const parts: Buffer[] = [];
  let start = () => {};
  const begun = new Promise<void>((done) => (start = done));
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      parts.push(chunk);
      start();
      setImmediate(done);
    },
  });
  return { out, begun, pdf: () => Buffer.concat(parts) };
}

test('while sheets are drawn, the thread that answers requests is free', async () => {
  await examine(makeSheet());
  const before = performance.eventLoopUtilization();
  await examine(makeSheet({ layout: 'cards' }));
  await print(reader().out, makeSheet({ codes: makeCodes(500) }));
  const { active, utilization } = performance.eventLoopUtilization(before);
  console.log(
    `at work for ${active.toFixed(0)} ms, ${(100 * utilization).toFixed(0)} % of the time of printing`,
  );
  // Drawing takes over a second on any machine; what is left here is taking the pieces.
  expect(utilization).toBeLessThan(0.35);
});

test('several are drawn at one time, each whole', async () => {
  const sheets = [3, 40, 1, 7].map((count) => makeSheet({ codes: makeCodes(count) }));
  const readers = sheets.map(reader);
  const done: number[] = [];
  await Promise.all(
    sheets.map((sheet, at) =>
      print((readers[at] as (typeof readers)[0]).out, { ...sheet, onProgress: (count) => done.push(count) }),
    ),
  );
  for (const { pdf } of readers) expect(pdf().toString('latin1')).toMatch(/^%PDF-1\.7[\s\S]*%%EOF\s*$/);
  expect(done).toHaveLength(3 + 40 + 1 + 7);
});

test('who hangs up ends the drawing, and the next one prints', async () => {
  const { out, begun } = reader();
  let drawn = 0;
  const printing = print(out, makeSheet({ codes: makeCodes(5000), onProgress: (done) => (drawn = done) }));
  await begun;
  out.destroy(new Error('hung up'));
  await expect(printing).rejects.toThrow('hung up');
  expect(drawn).toBeLessThan(5000);
  const { out: next, pdf } = reader();
  await print(next, makeSheet());
  expect(pdf().length).toBeGreaterThan(1000);
});

test('a refusal leaves the stream as it was, to tell it on', async () => {
  const { out } = reader();
  await expect(print(out, makeSheet({ codes: [] }))).rejects.toThrow('no codes to print');
  expect(out.destroyed).toBe(false);
});
