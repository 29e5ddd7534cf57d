/** The report's sample by answer. */
import { reportLevelsByQuestion } from '../../client/src/dashboard/results/report/report-levels.ts';

type Items = Parameters<typeof reportLevelsByQuestion>[0];
type Outcomes = Parameters<typeof reportLevelsByQuestion>[1];

const level = (level: string) => ({ level, known: 7, mean: 0.7, rds2: 0.6 });
const item = (name: string, ...levels: string[]) => ({ item: '14', name, value: levels.map(level) });

test('a question whose outcome has a dot in its name keeps its title and all its levels', () => {
  const outcomes = [
    {
      name: 'answer.location',
      question: 'answer.location',
      title: { en: 'Where do you live?' },
      kind: 'CATEGORY',
      levels: [
        { value: 'north', title: { en: 'North' } },
        { value: 'south', title: null },
      ],
    },
  ] as unknown as Outcomes;
  const [group] = reportLevelsByQuestion(
    [item('answer.location', 'north', 'south')] as unknown as Items,
    outcomes,
  );
  expect(group?.title).toBe('Where do you live?');
  expect(group?.rows.map(({ label, known }) => [label, known])).toEqual([
    ['North', '7'],
    ['south', '7'],
  ]);
});

test('the choices of a multiple-choice question are rows under its title', () => {
  const choice = (name: string, label: string) => ({
    name: `services.${name}`,
    question: 'services',
    title: { en: `Which services?: ${label}` },
    kind: 'CATEGORY',
    levels: [
      { value: '0', title: null },
      { value: '1', title: { en: label } },
    ],
  });
  const outcomes = [choice('food', 'Food'), choice('bed', 'A bed')] as unknown as Outcomes;
  const items = [item('services.food', '0', '1'), item('services.bed', '0', '1')] as unknown as Items;
  const groups = reportLevelsByQuestion(items, outcomes);
  expect(groups.map(({ title, rows }) => [title, rows.map(({ label }) => label)])).toEqual([
    ['Which services?', ['Food', 'A bed']],
  ]);
});
