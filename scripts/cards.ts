/** npm run cards: stores gift cards from a vendor's file, and counts what is left. */
import {
  type CommandAction,
  define,
  examples,
  pathOf,
  run,
  setAction,
  withDryRun,
  withJson,
} from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/interviews/cards/import.ts')),
  ...(await import('../src/interviews/cards/summary.ts')),
  ...(await import('../src/platform/http/bodies/input-file.ts')),
  ...(await import('../src/platform/http/problems/problem.ts')),
  ...(await import('../src/study/settings/model.ts')),
  ...(await import('../src/study/settings/time-zone.ts')),
});

const program = define('cards', 'Gift cards: stores them from a file, and counts what is left.');

const reads = define('import <file>', 'store gift cards from a CSV file: all of them, or none', program);
examples(reads, 'cards -- import cards.csv --dry-run', 'cards -- import cards.csv');
reads.addHelpText(
  'after',
  '\nThe columns are number,pin,link,amount,currency,expiresOn; each card needs a number or a link, an amount and a\n' +
    'currency. Each line that is wrong or repeats a card is named. Delete the file afterwards.',
);
const importFile: CommandAction<object, [string]> = async (_options, { config, now, dryRun }, file) => {
  const { importCards, readInputFile, studyTimeZone } = await load();
  const bytes = await readInputFile(pathOf(file));
  const zone = await studyTimeZone(config);
  const { contactKey } = config;
  const imported = await importCards(bytes, { by: null, now, contactKey, zone });
  const text = `${imported} gift cards ${dryRun ? 'would be stored (not done: --dry-run)' : 'stored'}.`;
  return { text, json: { imported, dryRun } };
};
setAction(withDryRun(withJson(reads)), importFile, { inputs: (_options, file) => [file] });

const counts = define('summary', 'how many cards of each amount are left', program);
examples(counts, 'cards -- summary');
setAction(withJson(counts), async (_options, { config, now }) => {
  const { loadGiftCardSummary, loadStudy, studyTimeZone } = await load();
  const summary = await loadGiftCardSummary(await loadStudy(), now, await studyTimeZone(config));
  const lines = summary.data.map(
    ({ amount, currency, free, given: givenCount, void: voided, expiresFirst, isLow }) =>
      `${amount} ${currency}: ${free} free, ${givenCount} given, ${voided} void` +
      (expiresFirst ? `, the first expires on ${expiresFirst}` : '') +
      (isLow ? ' (running low)' : ''),
  );
  return { text: lines.join('\n') || 'There are no gift cards.', json: summary };
});

await run(program);
