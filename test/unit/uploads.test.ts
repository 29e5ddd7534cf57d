/** Who is read on and who is cut off when many bodies arrive at once. */
import { type Upload, UploadBudget } from '../../src/platform/http/bodies/uploads.ts';
import {
  type OngoingTransfer,
  SlowClientMonitor,
  slowClientMonitor,
} from '../../src/platform/http/limits/slow-clients.ts';

const MB = 1024 * 1024;

class Line implements OngoingTransfer {
  bytes = 0;
  isWaiting = true;
  isInTheWay = false;
  isCut = false;
  bytesMoved = () => this.bytes;
  isClientsTurn = () => this.isWaiting;
  isWanted = () => this.isInTheWay;
  disconnect = () => {
    this.isCut = true;
  };
}

/** Whether it is cut off after this many seconds at this pace. */
function isCutAfter(seconds: number, bytesPerSecond: number, fields: Partial<Line> = {}): boolean {
  const [clients, line] = [new SlowClientMonitor(), Object.assign(new Line(), fields)];
  clients.add(line);
  for (let second = 0; second < seconds; second++) {
    line.bytes += bytesPerSecond;
    clients.look();
  }
  clients.delete(line);
  return line.isCut;
}

test('a client below 500 bytes a second is cut off after 20 seconds, one above it never', () => {
  expect([isCutAfter(19, 100), isCutAfter(20, 100), isCutAfter(600, 510)]).toEqual([false, true, false]);
});

test('while others wait, a client below 2,000 bytes a second is cut off after 5 seconds', () => {
  const crowded = { isInTheWay: true };
  expect([isCutAfter(4, 100, crowded), isCutAfter(5, 100, crowded)]).toEqual([false, true]);
  expect(isCutAfter(600, 2_100, crowded)).toBe(false);
});

test('a client that waits for the service does not count as slow', () => {
  expect(isCutAfter(600, 0, { isWaiting: false, isInTheWay: true })).toBe(false);
});

/** An upload whose state a test can see. */
function begin(uploads: UploadBudget, by: string) {
  const state = { upload: null as unknown as Upload, isPaused: false, refusal: '' };
  state.upload = uploads.begin(by, {
    pause: () => {
      state.isPaused = true;
    },
    resume: () => {
      state.isPaused = false;
    },
    refuse: (why) => {
      state.refusal = why;
    },
  });
  return state;
}

const cleanUp = (all: { upload: Upload }[]) => {
  for (const { upload } of all) upload.leave();
};

test('a caller who holds half of the memory sends one body at a time, and others don’t wait', () => {
  const uploads = new UploadBudget();
  const all = Array.from({ length: 30 }, () => begin(uploads, 'a'));
  for (let chunk = 0; chunk < 16; chunk++)
    for (const { upload, isPaused } of all) if (!isPaused) upload.add(MB / 16, false);
  const other = begin(uploads, 'b');
  other.upload.add(MB, false);
  expect(all.filter(({ isPaused }) => !isPaused)).toHaveLength(1);
  expect([other.isPaused, other.refusal]).toEqual([false, '']);
  // Each that is done makes room for the next, until all are.
  for (let turn = 0; turn < 30; turn++) {
    const next = all.find(({ isPaused, upload }) => !isPaused && !upload.isComplete);
    next?.upload.complete();
    next?.upload.leave();
  }
  expect(all.every(({ upload }) => upload.isComplete)).toBe(true);
  cleanUp([other]);
});

test('if all callers together hold too much, a small body still arrives, and the largest of the others is cut off', () => {
  const uploads = new UploadBudget();
  const all = Array.from({ length: 200 }, (_, at) => begin(uploads, `network ${at}`));
  for (const { upload } of all) upload.add(100_000, false);
  const large = begin(uploads, 'large');
  large.upload.add(900_000, false);
  const late = Array.from({ length: 200 }, (_, at) => begin(uploads, `late ${at}`));
  for (const { upload, refusal } of late) if (refusal === '') upload.add(64 * 1024, false);
  expect(large.refusal).toBe('busy');
  const small = begin(uploads, 'small');
  small.upload.add(2_000, true);
  expect([small.isPaused, small.refusal]).toEqual([false, '']);
  cleanUp([...all, large, ...late, small]);
});

test('a complete body that waits for memory is never cut off for those that are not', () => {
  const uploads = new UploadBudget();
  const complete = begin(uploads, 'a');
  complete.upload.add(2 * MB, true);
  complete.upload.complete();
  const all = Array.from({ length: 400 }, (_, at) => begin(uploads, `network ${at}`));
  for (const { upload, refusal } of all) if (refusal === '') upload.add(120_000, false);
  expect(complete.refusal).toBe('');
  expect(all.some(({ refusal }) => refusal === 'busy')).toBe(true);
  cleanUp([complete, ...all]);
});

/** Ten callers whose bodies of 1 MB take all the memory, and wait. */
function crowd(uploads: UploadBudget) {
  const large = Array.from({ length: 40 }, (_, at) => begin(uploads, `large ${at % 10}`));
  for (const { upload } of large) upload.add(0.7 * MB, false);
  return large;
}

test('a slow client with a small body is not cut off while large bodies hold the memory', () => {
  const uploads = new UploadBudget();
  const large = crowd(uploads);
  const slow = begin(uploads, 'slow');
  for (let second = 0; second < 15; second++) {
    slow.upload.add(600, false);
    slowClientMonitor.look();
  }
  // Beyond what is ever taken.
  const more = crowd(uploads);
  expect([slow.isPaused, slow.refusal]).toEqual([false, '']);
  expect([...large, ...more].some(({ refusal }) => refusal === 'busy')).toBe(true);
  cleanUp([...large, ...more, slow]);
});

test('if small bodies hold half of the memory, the slow ones among them are cut off too', () => {
  const uploads = new UploadBudget();
  const small = Array.from({ length: 150 }, (_, at) => begin(uploads, `network ${at}`));
  for (const { upload } of small) upload.add(64 * 1024, false);
  const large = crowd(uploads);
  for (let second = 0; second < 6; second++) slowClientMonitor.look();
  expect(small.some(({ refusal }) => refusal === 'slow')).toBe(true);
  cleanUp([...small, ...large]);
});
