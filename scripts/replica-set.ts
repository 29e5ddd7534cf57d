/** npm run replica-set: sets up new mongods as the database in MONGO_URI, with the service's user. */
import { readFileSync } from 'node:fs';
import type { Config } from '../src/platform/config.ts';
import { define, examples, pathOf, run, setAction } from './command.ts';

/** Loaded by the action: `--help` is answered at once. */
const load = () => import('./replica-set/set-up.ts');

const program = define(
  'replica-set',
  'Set up the replica set and the user of MONGO_URI. Run it where the first member runs; again, it sets the user’s password.',
)
  .option(
    '--admin-password-file <file>',
    'the password of the database’s administrator (user `admin`)',
    'deploy/keys/admin-password',
  )
  .option('--at <host:port>', 'how to reach the first member from here (default: as in MONGO_URI)');
examples(program, 'replica-set', 'replica-set -- --admin-password-file deploy/keys/admin-password');

setAction<{ adminPasswordFile: string; at?: string }>(
  program,
  async ({ adminPasswordFile, at }, { config, signal, say }) => {
    const { setUp } = await load();
    const adminPassword = readFileSync(pathOf(adminPasswordFile), 'utf8').trim();
    const { members, user, database } = await setUp({ uri: uriOf(config), at, adminPassword, signal, say });
    const lines = members.map(({ name, state }) => `${name}  ${state}`);
    lines.push(`The user ${user} can read and write the database ${database}, and nothing else.`);
    return { text: lines.join('\n'), json: { members, user, database } };
  },
  { raw: true, inputs: ({ adminPasswordFile }) => [adminPasswordFile] },
);

function uriOf({ mongoUri }: Config): string {
  if (mongoUri) return mongoUri;
  throw new Error('Set MONGO_URI first, with the members, the user, its password and replicaSet.');
}

await run(program);
