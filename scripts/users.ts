/** npm run users: manages accounts. */
import { Option } from 'commander';
import { declaredFieldsSerializer } from '../src/platform/http/lists/declared-fields.ts';
import { fullName } from '../src/platform/lib/text/full-name.ts';
import type { PersonImportLine } from '../src/study/users/import.ts';
import type { UserRecord } from '../src/study/users/model.ts';
import { ApprovalStatus, Grant, Role, User, UserCreate, UserPatch } from '../src/study/users/schema.ts';
import {
  type CommandAction,
  type CommandContext,
  type CommandResult,
  define,
  examples,
  listOfWords,
  pathOf,
  Refused,
  run,
  schemaFaults,
  setAction,
  table,
  withDryRun,
  withJson,
} from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/platform/http/parse-input.ts')),
  ...(await import('../src/platform/http/bodies/input-file.ts')),
  ...(await import('../src/study/locations/find.ts')),
  ...(await import('../src/study/users/import.ts')),
  ...(await import('../src/study/users/create.ts')),
  ...(await import('../src/study/users/commands.ts')),
  ...(await import('../src/study/users/passkeys.ts')),
});

const onWire = declaredFieldsSerializer(User);
const program = examples(
  define('users', 'Create, list and change accounts. USER is an id or a phone number.'),
  'users -- create --phone +12065550100 --first-name Ada --last-name Field --role SUPER_ADMIN',
  'users -- import people.csv --dry-run',
  'users -- list --status PENDING',
  'users -- approve +12065550123',
);

interface Create {
  phone: string;
  firstName: string;
  lastName: string;
  role: string;
  email?: string;
  location?: string;
}
const create = define('create', 'create an approved account and print its id', program)
  .requiredOption('--phone <phone>', 'phone number with country code, such as +12065550100')
  .requiredOption('--first-name <name>', 'first name')
  .requiredOption('--last-name <name>', 'last name')
  .addOption(new Option('--role <role>', 'role').choices(Role.options).default('VOLUNTEER'))
  .option('--email <address>', 'email address')
  .option('--location <site>', 'assigned location, by name or id');
const createUser: CommandAction<Create> = async (options, { config, now, dryRun, say }) => {
  const { createApprovedUser, parseInput, findLocation, phoneWarnings } = await load();
  const { phone, firstName, lastName, role, email } = options;
  const location = options.location && (await findLocation(options.location))._id.toHexString();
  const body = parseInput(UserCreate, { phone, firstName, lastName, role, email, location });
  const { user, isNew } = await createApprovedUser(body, config.defaultRegion, now);
  const verb = dryRun ? 'Would create' : 'Created';
  say(`${isNew ? verb : 'Already exists:'} ${described(user)}.`);
  for (const { message } of phoneWarnings(user.phone, config.otpCountries).warnings ?? []) say(message);
  return { text: dryRun && isNew ? '' : user._id.toHexString(), json: onWire(user) };
};
setAction(withDryRun(withJson(create)), createUser, {
  check: async ({ phone, firstName, lastName, email }) =>
    await schemaFaults(UserCreate.omit({ location: true, role: true }).partial(), {
      phone,
      firstName,
      lastName,
      email,
    }),
});

const reads = define('import <file>', 'make approved accounts from a CSV file: all or none', program);
examples(reads, 'users -- import people.csv --dry-run', 'users -- import people.csv');
reads.addHelpText(
  'after',
  '\nThe header row is phone,firstName,lastName,email,role,location. The last three can be empty: ROLE defaults to\n' +
    'VOLUNTEER; LOCATION is the name of a site. Importing the same file again changes nothing.',
);
setAction<object, [string]>(
  withDryRun(withJson(reads)),
  async (_options, { config, now, dryRun, say }, file) => {
    const { importUsers, readInputFile } = await load();
    const bytes = await readInputFile(pathOf(file));
    const { reports, wrong } = await importUsers(bytes, { region: config.defaultRegion, now });
    const lines = reports.map((one) => lineOf(one, dryRun)).join('\n');
    if (wrong > 0) throw new Refused(`${lines}\n${wrong} wrong. Nothing was changed.`, { reports });
    const count = (result: PersonImportLine['result']) =>
      reports.filter((one) => one.result === result).length;
    const newSuperAdmins = reports.filter(
      ({ role, result }) => role === 'SUPER_ADMIN' && result !== 'unchanged',
    );
    if (newSuperAdmins.length > 0) {
      const phones = newSuperAdmins.map(({ phone }) => phone).join(', ');
      say(
        `Warning: SUPER_ADMIN can do everything. The file ${dryRun ? 'would make' : 'has made'} ${phones} one.`,
      );
    }
    const sum = `${count('created')} created, ${count('approved')} approved, ${count('unchanged')} unchanged`;
    return { text: `${lines}\n${sum}${dryRun ? ' (not done: --dry-run)' : ''}`, json: { reports } };
  },
  { inputs: (_options, file) => [file] },
);

const lineOf = ({ line, phone, name, result, detail }: PersonImportLine, dryRun: boolean | undefined) => {
  const would = dryRun && (result === 'created' || result === 'approved') ? 'would be ' : '';
  const person = [name, phone && `(${phone})`].filter(Boolean).join(' ');
  return `line ${line}: ${person}: ${would}${result}${detail ? ` (${detail})` : ''}`;
};

interface Update {
  firstName?: string;
  lastName?: string;
  email?: string;
  location?: string;
}
const NO_VALUE = 'none';
const update = define('update <user>', 'change a name, an email or the assigned location', program)
  .option('--first-name <name>', 'first name')
  .option('--last-name <name>', 'last name')
  .option('--email <address>', 'email address, or none')
  .option('--location <site>', 'assigned location, by name or id, or none');
examples(update, 'users -- update +12065550123 --last-name Hill --location "Downtown shelter"');
/** A site is looked up in the database; here only whether one is named counts. */
const updateOf = ({ firstName, lastName, email, location }: Update, site: string | null) => ({
  firstName,
  lastName,
  email: email === NO_VALUE ? null : email,
  location: location === undefined ? undefined : site,
});
const updateUser: CommandAction<Update, [string]> = async (options, context, user) => {
  const { parseInput, findLocation } = await load();
  const { location } = options;
  const site = location && location !== NO_VALUE ? (await findLocation(location))._id : null;
  const patch = parseInput(UserPatch, updateOf(options, site?.toHexString() ?? null));
  const { location: _id, ...changes } = patch;
  const fields = { ...changes, ...(location === undefined ? {} : { location: site }) };
  return await changed(user, context, () => fields as Partial<UserRecord>);
};
setAction(withDryRun(withJson(update)), updateUser, {
  check: async (options) => await schemaFaults(UserPatch, updateOf(options, null)),
});

interface List {
  status?: ApprovalStatus;
  role?: Role;
  location?: string;
  search?: string;
}
const list = define('list', 'list accounts, newest first', program)
  .addOption(new Option('--status <status>', 'only these').choices(ApprovalStatus.options))
  .addOption(new Option('--role <role>', 'only these').choices(Role.options))
  .option('--location <site>', 'only accounts assigned to this location (name or id)')
  .option('--search <words>', 'only accounts whose name or phone contains these');
setAction<List>(withJson(list), async ({ status, role, location, search }) => {
  const { findLocation, listLocations, listUsers } = await load();
  const site = location ? (await findLocation(location))._id : undefined;
  const [users, sites] = await Promise.all([
    listUsers({ status, role, location: site, search }),
    listLocations(),
  ]);
  const names = new Map(sites.map((one) => [String(one._id), one.name]));
  // Fits 80 columns; all of it is in `--json`.
  const truncated = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1)}…` : text);
  const rows = users.map((user) => [
    truncated(fullName(user), 22),
    user.phone,
    user.role,
    user.approvalStatus,
    truncated(names.get(String(user.location)) ?? '', 14),
  ]);
  const headings = ['NAME', 'PHONE', 'ROLE', 'STATUS', 'LOCATION'];
  const none = [status, role, location, search].some(Boolean)
    ? 'No accounts match.'
    : 'There are no accounts.';
  return { text: table(headings, rows, none), json: users.map(onWire) };
});

function verb(name: string, description: string, change: Partial<UserRecord>): void {
  const command = define(`${name} <user>`, description, program);
  setAction<object, [string]>(withDryRun(withJson(command)), async (_options, context, user) =>
    changed(user, context, () => change),
  );
}
verb('approve', 'approve a PENDING account', { approvalStatus: 'APPROVED' });
verb('reject', 'reject a PENDING account', { approvalStatus: 'REJECTED' });
verb('reset', 'move an APPROVED or REJECTED account back to PENDING', { approvalStatus: 'PENDING' });

const setRole = define('set-role <user> <role>', `change the role: ${Role.options.join(', ')}`, program);
setAction<object, [string, string]>(
  withDryRun(withJson(setRole)),
  async (_options, context, user, role) => {
    const { parseInput } = await load();
    const { role: newRole } = parseInput(UserPatch, { role });
    return await changed(user, context, () => (newRole ? { role: newRole } : {}));
  },
  { check: async (_options, _user, role) => await schemaFaults(UserPatch, { role }) },
);

interface GrantOptions {
  action?: string;
  subject?: string;
  conditions?: string[];
  none?: boolean;
}
const grant = define('grant <user>', 'grant a permission beyond the role, or remove all of them', program)
  .addOption(new Option('--action <action>', 'the action to allow').choices(Grant.shape.action.options))
  .addOption(new Option('--subject <subject>', 'to these').choices(Grant.shape.subject.options))
  .option('--conditions <names>', 'only where all of these are true, separated by commas', listOfWords)
  .option('--none', 'remove all granted permissions');
examples(grant, 'users -- grant +12065550123 --action read --subject Survey --conditions HAS_SAME_LOCATION');
const grantPermission: CommandAction<GrantOptions, [string]> = async (options, context, user) => {
  const { action, subject, conditions = [], none } = options;
  const { parseInput } = await load();
  if (none === true) return await changed(user, context, () => ({ permissions: [] }));
  const newGrant = parseInput(Grant, { action, subject, conditions });
  return await changed(user, context, ({ permissions }) => {
    const { permissions: all } = parseInput(UserPatch, { permissions: [...permissions, newGrant] });
    const isGranted = permissions.some((one) => JSON.stringify(one) === JSON.stringify(newGrant));
    return isGranted || !all ? {} : { permissions: all };
  });
};
setAction(withDryRun(withJson(grant)), grantPermission, {
  check: async ({ action, subject, conditions = [], none }) => {
    if (none) return action || subject ? ['--none can’t be combined with --action or --subject.'] : [];
    if (!action || !subject) return ['Use --action and --subject, or --none.'];
    return await schemaFaults(Grant, { action, subject, conditions });
  },
});

const remove = define('delete <user>', 'delete an account; its phone number can sign up again', program);
setAction<object, [string]>(withDryRun(withJson(remove)), async (_options, { config, now, dryRun }, user) => {
  const { removeUserByIdOrPhone } = await load();
  const removed = await removeUserByIdOrPhone({ name: user, region: config.defaultRegion }, now);
  return { text: `${dryRun ? 'Would delete' : 'Deleted'} ${described(removed)}.`, json: onWire(removed) };
});

interface Reset {
  phone: string;
}
const reset = define(
  'reset-passkeys',
  'remove all passkeys and recovery codes of an account, which then signs in with a code again',
  program,
).requiredOption('--phone <phone>', 'phone number or id of the account');
examples(reset, 'users -- reset-passkeys --phone +12065550100');
setAction<Reset>(withDryRun(withJson(reset)), async ({ phone }, { config, now, dryRun }) => {
  const { resetPasskeysByIdOrPhone } = await load();
  const personQuery = { name: phone, region: config.defaultRegion };
  const { user, count } = await resetPasskeysByIdOrPhone(personQuery, now);
  const verb = dryRun ? 'Would remove' : 'Removed';
  const passkeys = count === 1 ? '1 passkey' : `${count} passkeys`;
  return { text: `${verb} ${passkeys} of ${described(user)}.`, json: { user: onWire(user), removed: count } };
});

async function changed(
  name: string,
  { config, now, dryRun }: CommandContext,
  change: (user: UserRecord) => Partial<UserRecord>,
): Promise<CommandResult> {
  const { changeUser } = await load();
  const user = await changeUser({ name, region: config.defaultRegion }, now, change);
  return { text: `${dryRun ? 'Would be' : 'Now'}: ${described(user)}.`, json: onWire(user) };
}

function described({ firstName, lastName, phone, role, approvalStatus, permissions }: UserRecord): string {
  const rights = permissions.map(({ action, subject, conditions }) =>
    [action, subject, ...conditions].join(' '),
  );
  const beyond = rights.length > 0 ? `, may also: ${rights.join('; ')}` : '';
  return `${firstName} ${lastName} (${phone}), ${role}, ${approvalStatus}${beyond}`;
}

await run(program);
