import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import mongoose from 'mongoose';
import { seedChainsFromStudyTable } from '../../src/board/recruitment/chains/chains.ts';
import { DictionaryColumn } from '../../src/statistics/study-table/columns.ts';
import { IdTable } from '../../src/statistics/study-table/ids.ts';
import { LiveStudyTable } from '../../src/statistics/study-table/live-table.ts';
import { startTableProcess } from '../../src/statistics/study-table/process.ts';
import { closeDatabase, openDatabase } from '../database.ts';

const { ObjectId } = mongoose.Types;

test('rows are found by id among thousands', () => {
  const all = Array.from({ length: 5_000 }, () => new ObjectId());
  const ids = new IdTable(10);
  for (const [row, id] of all.entries()) expect(ids.rowOf(id.id, 0)).toBe(row);
  expect(ids.size).toBe(5_000);
  for (const [row, id] of all.entries()) {
    expect(ids.rowOf(id.id, 0)).toBe(row);
    expect(ids.find(id.toHexString())).toBe(row);
    expect(ids.hex(row)).toBe(id.toHexString());
  }
  expect(ids.find(new ObjectId())).toBe(-1);
  const byText = [...all.keys()].sort((a, b) => (ids.hex(a) < ids.hex(b) ? -1 : 1));
  expect([...all.keys()].sort((a, b) => ids.compare(a, b))).toEqual(byText);
});

test.each([2, 256, 257, 65_537])('a column holds %i different values', (count) => {
  const column = new DictionaryColumn<unknown>(count, undefined);
  for (let row = 0; row < count; row++) column.set(row, row % 2 === 0 ? row : [`${row}`]);
  column.resize(count + 10);
  for (let row = 0; row < count; row++) expect(column.valueOf(row)).toEqual(row % 2 === 0 ? row : [`${row}`]);
  expect(column.valueOf(count)).toBeUndefined();
  expect(column.codeOf(['1'])).toBe(column.codes[1]);
  expect(column.codeOf('none of them')).toBe(-1);
});

describe('a live table', () => {
  beforeAll(openDatabase);
  afterAll(closeDatabase);

  const seeds = () => mongoose.connection.collection('seeds');
  const seed = (referralCode: string) => ({
    _id: new ObjectId(),
    referralCode,
    kind: 'PLANNED',
    location: new ObjectId(),
    survey: null,
    deletedAt: null,
  });

  test('includes records stored, changed and removed since the last read', async () => {
    const live = new LiveStudyTable();
    const stored = async () => {
      const { seeds: all } = await live.upToDate();
      return all.codes.filter((_, row) => all.state[row] !== 0).sort();
    };
    const first = seed('AAAA');
    await seeds().insertOne(first);
    expect(await stored()).toEqual(['AAAA']);
    await seeds().insertMany([seed('BBBB'), seed('CCCC')]);
    expect(await stored()).toEqual(['AAAA', 'BBBB', 'CCCC']);
    await seeds().updateOne({ _id: first._id }, { $set: { referralCode: 'DDDD' } });
    await seeds().deleteOne({ referralCode: 'BBBB' });
    expect(await stored()).toEqual(['CCCC', 'DDDD']);
    await seeds().updateOne({ _id: first._id }, { $set: { deletedAt: new Date() } });
    expect(await stored()).toEqual(['CCCC']);
    await live.close();
  });

  test('is read again after a collection was replaced', async () => {
    const live = new LiveStudyTable();
    await live.upToDate();
    await seeds().drop();
    await seeds().insertOne(seed('EEEE'));
    const { seeds: all } = await live.upToDate();
    expect(all.codes.filter((_, row) => all.state[row] !== 0)).toEqual(['EEEE']);
    await live.close();
  });

  test('a new process reads the table again if its process was killed, and the service continues', async () => {
    const uri = process.env.TEST_MONGO_URI ?? '';
    const table = startTableProcess(pathToFileURL('src/main.ts').href, {
      uri,
      database: mongoose.connection.name,
    });
    const chains = () => table.ask(seedChainsFromStudyTable, { seeds: [], now: new Date() });
    const before = await chains();
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number);
    const [pid] = children.filter((one) =>
      readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('table-worker'),
    );
    process.kill(Number(pid), 'SIGKILL');
    await chains().catch(({ name }) => expect(name).toBe('UNAVAILABLE'));
    expect(await chains()).toEqual(before);
    await table.close();
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  }, 60_000);
});
