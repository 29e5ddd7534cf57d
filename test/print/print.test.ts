import { performance } from 'node:perf_hooks';
import { Writable } from 'node:stream';
import { checkCouponSheet, writeCouponPdf } from '../../src/coupons/print/print.ts';
import { makeCodes, makeSheet } from './printed.ts';

/** Reads everything; `begun` resolves at the first data. */
function reader() {
  const parts: Buffer[] = [];
  let start = () => {};
  const begun = new Promise<void>((resolve) => (start = resolve));
  const out = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      parts.push(chunk);
      start();
      setImmediate(callback);
    },
  });
  return { out, begun, pdf: () => Buffer.concat(parts) };
}

test('rendering does not block the request thread', async () => {
  await checkCouponSheet(makeSheet());
  const before = performance.eventLoopUtilization();
  await checkCouponSheet(makeSheet({ layout: 'cards' }));
  await writeCouponPdf(reader().out, makeSheet({ codes: makeCodes(500) }));
  const { active, utilization } = performance.eventLoopUtilization(before);
  console.log(
    `at work for ${active.toFixed(0)} ms, ${(100 * utilization).toFixed(0)} % of the time of printing`,
  );
  // Drawing takes over a second on any machine; only reading the pieces is left here.
  expect(utilization).toBeLessThan(0.35);
});

test('several files are rendered at the same time, each complete', async () => {
  const sheets = [3, 40, 1, 7].map((count) => makeSheet({ codes: makeCodes(count) }));
  const readers = sheets.map(reader);
  const counts: number[] = [];
  await Promise.all(
    sheets.map((sheet, at) =>
      writeCouponPdf((readers[at] as (typeof readers)[0]).out, {
        ...sheet,
        onProgress: (count) => counts.push(count),
      }),
    ),
  );
  for (const { pdf } of readers) expect(pdf().toString('latin1')).toMatch(/^%PDF-1\.7[\s\S]*%%EOF\s*$/);
  expect(counts).toHaveLength(3 + 40 + 1 + 7);
});

test('a client that disconnects ends its rendering, and the next one prints', async () => {
  const { out, begun } = reader();
  let drawn = 0;
  const printing = writeCouponPdf(
    out,
    makeSheet({ codes: makeCodes(5000), onProgress: (count) => (drawn = count) }),
  );
  await begun;
  out.destroy(new Error('hung up'));
  await expect(printing).rejects.toThrow('hung up');
  expect(drawn).toBeLessThan(5000);
  const { out: next, pdf } = reader();
  await writeCouponPdf(next, makeSheet());
  expect(pdf().length).toBeGreaterThan(1000);
});

test('a client that disconnects at any time does not stop the process or others’ printing', async () => {
  for (let ms = 0; ms < 120; ms += 20) {
    const { out } = reader();
    const printing = writeCouponPdf(out, makeSheet({ codes: makeCodes(2_000) }));
    setTimeout(() => out.destroy(new Error('hung up')), ms);
    await expect(printing).rejects.toThrow('hung up');
  }
  const { out, pdf } = reader();
  await writeCouponPdf(out, makeSheet());
  expect(pdf().length).toBeGreaterThan(1000);
}, 120_000);

test('a rejected print leaves the stream open for the error', async () => {
  const { out } = reader();
  await expect(writeCouponPdf(out, makeSheet({ codes: [] }))).rejects.toThrow('no codes to print');
  expect(out.destroyed).toBe(false);
});

/** Reads only the first piece. */
function unread() {
  let start = () => {};
  const begun = new Promise<void>((resolve) => (start = resolve));
  // The buffer is full after the first piece, so that the press waits for its reader.
  const out = new Writable({ highWaterMark: 1, write: () => start() });
  return { out, begun };
}

test('a client that reads nothing and disconnects frees its place', async () => {
  // More than the number of slots.
  for (let time = 0; time < 3; time++) {
    const { out, begun } = unread();
    const printing = writeCouponPdf(out, makeSheet({ codes: makeCodes(500) }));
    await begun;
    // As a connection does it: without an error.
    out.destroy();
    await expect(printing).rejects.toThrow('Premature close');
  }
  await writeCouponPdf(reader().out, makeSheet());
}, 30_000);

test('a file that is not read times out, and others print', async () => {
  const patience = { pieceMs: 50, allMs: 1_000 };
  const unreadReaders = [unread(), unread(), unread()];
  const sheet = makeSheet({ codes: makeCodes(500) });
  const printing = unreadReaders.map(({ out }) => writeCouponPdf(out, sheet, undefined, patience));
  for (const one of printing) await expect(one).rejects.toThrow('not read in time');
  expect(unreadReaders.every(({ out }) => out.destroyed)).toBe(true);
  await writeCouponPdf(reader().out, makeSheet());
}, 30_000);

test('a client that reads too slowly times out', async () => {
  const out = new Writable({ write: (_chunk, _encoding, callback) => setTimeout(callback, 20) });
  const printing = writeCouponPdf(out, makeSheet({ codes: makeCodes(5000) }), undefined, {
    pieceMs: 500,
    allMs: 100,
  });
  await expect(printing).rejects.toThrow('not read in time');
}, 30_000);

test('one person can print one file at a time, with few waiting, while others print', async () => {
  const blockedReader = unread();
  const sheet = makeSheet({ codes: makeCodes(500) });
  const first = writeCouponPdf(blockedReader.out, sheet, 'ann');
  await blockedReader.begun;
  let came = 0;
  const waiting = [1, 2].map(() => writeCouponPdf(reader().out, makeSheet(), 'ann').then(() => (came += 1)));
  const { name, headers, message } = await writeCouponPdf(reader().out, makeSheet(), 'ann').catch(
    (error) => error,
  );
  expect([name, headers]).toEqual(['RATE_LIMITED', { 'Retry-After': '10' }]);
  expect(message).toMatch(/already printing files/);
  await writeCouponPdf(reader().out, makeSheet(), 'bob');
  await writeCouponPdf(reader().out, makeSheet(), 'bob');
  expect(came).toBe(0);
  blockedReader.out.destroy(new Error('hung up'));
  await expect(first).rejects.toThrow('hung up');
  await Promise.all(waiting);
}, 30_000);
