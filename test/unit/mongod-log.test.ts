import { redactLine } from '../../src/platform/db/embedded/mongod-process.ts';

const line = (fields: object) => JSON.stringify({ t: { $date: '2027-06-15T19:00:00Z' }, id: 1, ...fields });

test.each([
  [
    'a slow command',
    { s: 'I', c: 'COMMAND', msg: 'Slow query', attr: { command: { q: { phone: '+12065550100' } } } },
  ],
  [
    'a command whose client disconnected',
    {
      s: 'W',
      c: 'QUERY',
      msg: 'Plan executor error',
      attr: { error: 'of +12065550100', cmd: { a: 'secret' } },
    },
  ],
  [
    'a duplicate key',
    {
      s: 'E',
      c: 'STORAGE',
      msg: 'Index build failed',
      attr: { error: 'dup key: { phone: "+12065550100" }' },
    },
  ],
  [
    'a storage warning about a record',
    {
      s: 'W',
      c: 'STORAGE',
      msg: 'Bad',
      attr: { message: { msg: "found 'secret' at 12065550100", doc: 'secret' } },
    },
  ],
])('a mongod log line about %s is kept without quoted values', (_what, fields) => {
  const redactedLine = redactLine(line(fields)) ?? '';
  expect(JSON.parse(redactedLine)).toMatchObject({ s: fields.s, c: fields.c, msg: fields.msg });
  expect(redactedLine).not.toMatch(/2065550100|secret/);
});

test.each([
  [
    { s: 'E', c: 'WT', msg: 'm', attr: { error: 28, message: { msg: 'write: No space left on device' } } },
    'No space left',
  ],
  [{ s: 'E', c: 'CONTROL', msg: 'm', attr: { error: 'DBPathInUse: Unable to lock /data/x' } }, 'DBPathInUse'],
])('information on disk and files is kept: %j', (fields, words) => {
  expect(redactLine(line(fields))).toContain(words);
});

test('lines that are not mongod log lines are dropped', () => {
  for (const text of ['', 'phone +12065550100', '"secret"', 'null', '{"phone":"+12065550100"']) {
    expect(redactLine(text)).toBeNull();
  }
});
