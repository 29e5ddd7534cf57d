/** The study's retention period, set by command. */
import { castOfFile, draft, read } from '../api/kit.ts';
import { command, SLOW } from './kit.ts';

const cast = castOfFile();

test(
  'erases only after the retention period, and only counts in a dry run',
  async () => {
    const { body } = await cast.volunteer.post('/api/surveys', draft(cast)).expect(201);
    const never = await command('retention', []);
    expect(never).toMatchObject({ code: 0, out: expect.stringContaining('no retention period') });
    await cast.root.patch('/api/study', { retentionDays: 30, endsOn: '2026-01-01' }).expect(200);
    const dry = await command('retention', ['--dry-run']);
    expect(dry).toMatchObject({
      code: 0,
      out: expect.stringMatching(/1 {2}surveys\n(.*\n)*This would be erased/),
    });
    expect((await read(cast, body.id)).responses).toEqual(body.responses);
    const result = await command('retention', ['--json']);
    expect(JSON.parse(result.out)).toMatchObject({ from: '2026-01-31', counts: { surveys: 1 } });
    expect((await read(cast, body.id)).responses).toEqual({});
    const ahead = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await cast.root.patch('/api/study', { endsOn: ahead }).expect(200);
    expect(await command('retention', [])).toMatchObject({ out: expect.stringContaining('It begins on') });
  },
  SLOW,
);
