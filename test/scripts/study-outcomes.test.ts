/** Outcomes set by command are checked as those set in the dashboard are. */
import { loadStudy } from '../../src/study/settings/model.ts';
import { castOfFile } from '../api/kit.ts';
import { command, openFolder, SLOW } from './kit.ts';

const cast = castOfFile();

test(
  '`study set` refuses outcomes that can’t be calculated, and stores those that can',
  async () => {
    const folder = await openFolder();
    const { writeFile } = await import('node:fs/promises');
    const set = async (name: string, expression: string) => {
      const outcomes = [{ name, title: { en: 'Many' }, kind: 'NUMBER', expression }];
      await writeFile(folder.path('study.json'), JSON.stringify({ outcomes }));
      return await command('study', ['set', '--from', folder.path('study.json')]);
    };
    try {
      for (const [name, expression, why] of [
        ['wave', '{networkSize} > 3', 'outcomes.0.name'],
        ['large', '{nobodyAsksThis} > 3', 'outcomes.0.expression'],
        ['large', '((((', 'outcomes.0.expression'],
      ] as const) {
        const { code, err } = await set(name, expression);
        expect([name, expression, code, err]).toEqual([name, expression, 2, expect.stringContaining(why)]);
        await cast.root
          .patch('/api/study', { outcomes: [{ name, title: { en: 'Many' }, kind: 'NUMBER', expression }] })
          .expect(400);
      }
      expect((await loadStudy()).outcomes).toEqual([]);
    } finally {
      await folder.remove();
    }
  },
  SLOW,
);
