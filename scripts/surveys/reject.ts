/** npm run surveys -- reject: all interviews of a site and some days, rejected together, and taking that back. */
import type { Command } from 'commander';
import type {
  IncentiveTotal,
  RejectionConsequences,
  SiteRejectionRequest,
} from '../../src/interviews/surveys/review/reject-site.ts';
import { CommentInput } from '../../src/interviews/surveys/schema.ts';
import { dayBounds } from '../../src/platform/lib/day.ts';
import {
  type CommandAction,
  define,
  examples,
  numberOf,
  progress,
  schemaFaults,
  setAction,
  withDryRun,
  withJson,
  wrongArgument,
} from '../command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../../src/study/locations/find.ts')),
  ...(await import('../../src/study/settings/time-zone.ts')),
  ...(await import('../../src/interviews/surveys/review/reject-site.ts')),
});

interface Options {
  location: string;
  from: string;
  to: string;
  reason?: string;
  undo?: boolean;
  yes?: boolean;
}

const COMMAND = 'surveys -- reject --location "Downtown shelter" --from 2026-11-21 --to 2026-11-23';

export function addReject(program: Command): void {
  const command = define(
    'reject',
    'reject all interviews of a site and some days, such as made-up ones, or take that back',
    program,
  )
    .requiredOption('--location <site>', 'the site, by name or id, also a closed one')
    .requiredOption('--from <day>', 'the first interview date, such as 2026-11-21')
    .requiredOption('--to <day>', 'the last interview date; that day is included')
    .option(
      '--reason <text>',
      'why, for the interviewers, reviewers and the history (required, except with --undo)',
    )
    .option('--undo', 'take back what this command has rejected there on those days')
    .option('--yes', 'do it; without it, only print what would happen');
  examples(
    command,
    `${COMMAND} --reason "made up"`,
    `${COMMAND} --reason "made up" --yes`,
    `${COMMAND} --undo --yes`,
  );
  command.addHelpText(
    'after',
    '\nRejected interviews leave the sample but keep their place in the tree. What is still owed for them is withdrawn;\n' +
      'what was paid stays paid. Interviews that are rejected already or unfinished are left as they are. The command can be\n' +
      'interrupted and run again: nothing is done twice. --undo restores the reviews and amounts due of before.',
  );
  setAction<Options>(withDryRun(withJson(command)), reject, { check: argumentFaults });
}

async function argumentFaults({ from, to, reason, undo }: Options): Promise<string[]> {
  const isDay = (day: string) => dayBounds(day, 'UTC') !== null;
  const days = Object.entries({ from, to }).filter(([, day]) => day !== undefined && !isDay(day));
  const isBackwards = days.length === 0 && from !== undefined && to !== undefined && to < from;
  return [
    ...days.map(([name, day]) => `--${name} '${day}' isn’t a day. Write it as YYYY-MM-DD.`),
    ...(isBackwards ? ['--to must not be before --from.'] : []),
    ...(reason === undefined && !undo ? ["required option '--reason <text>' not specified"] : []),
    ...(reason === undefined
      ? []
      : (await schemaFaults(CommentInput, { text: reason })).map((fault) =>
          fault.replace(/^text/, 'reason'),
        )),
  ];
}

const reject: CommandAction<Options> = async (options, { config, now, dryRun, say }) => {
  const { rejectSiteInterviews: decideSite, previewSiteRejection: previewSite, studyTimeZone } = await load();
  const { from, to, undo = false, reason } = options;
  const site = await requireSite(options.location);
  const zone = await studyTimeZone(config);
  const [first, last] = [dayBounds(from, zone), dayBounds(to, zone)];
  if (!first || !last) throw wrongArgument('There is no such day.');
  const days: SiteRejectionRequest = { location: site._id, start: first.start, end: last.end, undo };
  const consequences = await previewSite(days, now);
  const { interviews } = consequences;
  const lines = [`Interviews at ${site.name} from ${from} to ${to}:`, ...linesOf(consequences, undo)];
  const json = { location: String(site._id), from, to, undo, ...consequences };
  const isPreview = options.yes !== true || dryRun;
  if (isPreview || interviews === 0) {
    const end =
      interviews === 0
        ? 'Nothing to do.'
        : `Nothing was changed${dryRun ? ' (--dry-run)' : `. Add --yes to ${undo ? 'take the rejections back' : 'reject them'}`}.`;
    return { text: [...lines, end].join('\n'), json: { ...json, done: 0 } };
  }
  say(lines.join('\n'));
  const bar = progress('Interviews');
  const decision = { by: null, now, reason: reason?.trim(), step: bar.step };
  const interviewCount = await decideSite(days, decision).finally(bar.end);
  const text = undo
    ? `Took back the rejection of ${numberOf(interviewCount, 'interview')}.`
    : `Rejected ${numberOf(interviewCount, 'interview')}. To take it back, run the same command with --undo.`;
  return { text, json: { ...json, done: interviewCount } };
};

async function requireSite(name: string) {
  const { findLocationEvenClosed, listLocations } = await load();
  const site = await findLocationEvenClosed(name);
  if (site) return site;
  const names = (await listLocations()).map((one) => `  ${one.name}`);
  const choice = names.length > 0 ? ` Choose one:\n${names.join('\n')}` : '';
  throw wrongArgument(`No site has the id or name "${name}".${choice}`);
}

function linesOf(of: RejectionConsequences, undo: boolean): string[] {
  const { interviews, rejected, unfinished, currency, withdrawn, due, paid } = of;
  const money = ({ count, amount }: IncentiveTotal) =>
    `${amount} ${currency ?? ''}`.trim().concat(` (${count})`);
  const lines: [number, string][] = [
    [1, `${interviews} ${undo ? 'rejected by this command, to be restored' : 'to be rejected'}`],
    [
      rejected,
      `${rejected} rejected ${undo ? 'by a person' : 'already'}, left as ${rejected === 1 ? 'it is' : 'they are'}`,
    ],
    [unfinished, `${unfinished} unfinished, left as ${unfinished === 1 ? 'it is' : 'they are'}`],
    [undo ? withdrawn.count : 1, `${money(withdrawn)} owed, to be withdrawn`],
    [
      undo ? 1 : due.count,
      `${money(due)} ${undo ? 'withdrawn, to be owed again' : 'to be owed for others instead'}`,
    ],
    [undo ? 0 : 1, `${money(paid)} paid already, which stays paid`],
  ];
  return lines.filter(([count]) => count > 0).map(([, line]) => `  ${line}`);
}
