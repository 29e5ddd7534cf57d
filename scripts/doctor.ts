/** npm run doctor: what is wrong with this installation, on one screen, and how to fix it. */
import { define, examples, pathOf, print, run, withJson } from './command.ts';
import type { Part, State } from './doctor/finding.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('./doctor/examine.ts')),
  ...(await import('./doctor/finding.ts')),
});

const program = define(
  'doctor',
  'Check the settings, secrets, files, disk, database, clock, certificates, proxy, Twilio and the last backup. Changes nothing.',
).option('--backups <folder>', 'where backups are written', '/var/backups/field-survey');
examples(withJson(program), 'doctor', 'doctor -- --backups /srv/backups');
program.addHelpText(
  'after',
  '\nLOOK: works, but deserves a look. WRONG: must be fixed; the exit code is then 1.',
);

// No action of command.ts: this one works with wrong settings and without a database.
program.action(async ({ json, backups }: { json?: boolean; backups: string }) => {
  const { examine, stateOf } = await load();
  const parts = await examine(process.env, new Date(), pathOf(backups));
  const states = parts.map(({ findings }) => stateOf(findings));
  if (states.includes('WRONG')) process.exitCode = 1;
  const results = parts.map((part, at) => ({ ...part, state: states[at] ?? 'OK' }));
  const text = json ? JSON.stringify({ parts: results }, null, 2) : screenOf(results, states);
  await print(`${text}\n`);
});

function screenOf(parts: (Part & { state: State })[], states: State[]): string {
  const lines = parts.flatMap(({ name, state, findings }) =>
    findings
      .filter((one) => one.state === state || one.state !== 'OK')
      .map(
        ({ state: own, text, fix }) => `${own.padEnd(5)}  ${name.padEnd(12)}  ${text}${fix ? ` ${fix}` : ''}`,
      ),
  );
  const count = (state: State) => states.filter((one) => one === state).length;
  return [...lines, '', `${count('OK')} OK, ${count('LOOK')} to look at, ${count('WRONG')} wrong`].join('\n');
}

await run(program);
