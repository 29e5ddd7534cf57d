/** npm run retention: erases what the study's retention period no longer allows it to keep. */
import { define, examples, progress, run, setAction, withDryRun, withJson } from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/interviews/retention/due.ts')),
  ...(await import('../src/interviews/retention/erase-expired.ts')),
  ...(await import('../src/study/rounds/model.ts')),
  ...(await import('../src/study/settings/model.ts')),
  ...(await import('../src/study/settings/time-zone.ts')),
});

const program = define(
  'retention',
  'Erase answers once the retention period of their round is over. The service does the same every night.',
);
examples(withDryRun(withJson(program)), 'retention -- --dry-run', 'retention');
program.addHelpText(
  'after',
  '\nErases answers, positions, comments, second copies, identity hashes and values in the history of a round,\n' +
    'and phone numbers of accounts that are not approved. It can be interrupted and run again.',
);

setAction(program, async (_options, { config, now, dryRun }) => {
  const {
    eraseExpired,
    roundsPastRetention: expiredRounds,
    loadRounds,
    loadStudy,
    retentionDay,
    studyTimeZone,
  } = await load();
  const study = await loadStudy();
  const [rounds, zone] = [await loadRounds(), await studyTimeZone(config)];
  const days = rounds.flatMap((round) => retentionDay(round, study, zone) ?? []);
  const from = days.toSorted().at(0) ?? null;
  const expired = expiredRounds(rounds, study, now, zone);
  if (expired.rounds.length === 0) {
    const reason = from
      ? `It begins on ${from}.`
      : study.retentionDays === null
        ? 'The study has no retention period.'
        : 'The study has no end date.';
    return { text: `Nothing to erase. ${reason}`, json: { from, counts: {}, dryRun } };
  }
  const bar = progress('Records');
  const step = (recordCount: number) => bar.step(recordCount, recordCount);
  const counts = await eraseExpired({ now, ...expired, step }).finally(bar.end);
  const lines = Object.entries(counts).map(([name, count]) => `${String(count).padStart(9)}  ${name}`);
  lines.push(
    dryRun
      ? 'This would be erased (not done: --dry-run).'
      : 'Erased. Earlier backups and downloaded files still have it.',
  );
  return { text: lines.join('\n'), json: { from, counts, dryRun } };
});

await run(program);
