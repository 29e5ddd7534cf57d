/**
 * Imports a list of people (CSV) as approved accounts: all of them or none. Importing the same list again changes
 * nothing. A line that differs from its existing account is refused, and so is a line whose account was deleted or
 * moved back to pending, so that an old list can't revert later changes.
 */
import type { ClientSession } from 'mongoose';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { parseOrProblem, unreadableFileProblem } from '../../platform/http/bodies/input-file.ts';
import { parseInput } from '../../platform/http/parse-input.ts';
import { Problem } from '../../platform/http/problems/problem.ts';
import { parseCsv, rowsByColumnName } from '../../platform/lib/text/csv.ts';
import { decodeText } from '../../platform/lib/text/decode-text.ts';
import { listLocations } from '../locations/find.ts';
import { applyUserChanges } from './change.ts';
import { insertUsers, newUser, requirePhone } from './create.ts';
import { UserModel, type UserRecord } from './model.ts';
import { UserCreate } from './schema.ts';

const COLUMNS = ['phone', 'firstName', 'lastName', 'email', 'role', 'location'] as const;
const REQUIRED_COLUMNS = ['phone', 'firstName', 'lastName'] as const;
const MAX_PEOPLE = 5_000;

export interface PersonImportLine {
  line: number;
  phone: string;
  name: string;
  role: UserRecord['role'] | null;
  result: 'created' | 'approved' | 'unchanged' | 'wrong';
  /** The error. */
  detail: string;
}

type PersonFields = Pick<UserRecord, 'phone' | 'firstName' | 'lastName' | 'email' | 'role' | 'location'>;
type Row = { line: number; cells: Map<(typeof COLUMNS)[number], string> };
type ParsedRow = Row & { given: PersonFields | null; fault: string };

/** If any line is wrong, nothing is stored and only the wrong lines are reported. */
export async function importUsers(
  bytes: Uint8Array,
  { region, now }: { region: string; now: Date },
): Promise<{ reports: PersonImportLine[]; wrong: number }> {
  const rows = parseOrProblem(() =>
    rowsByColumnName(parseCsv(decodeText(bytes)), { known: COLUMNS, needed: REQUIRED_COLUMNS }),
  );
  if (rows.length === 0) throw unreadableFileProblem('it has no people');
  if (rows.length > MAX_PEOPLE)
    throw unreadableFileProblem(`it has more than ${MAX_PEOPLE} people; import it in parts`);
  const sites = new Map((await listLocations()).map((one) => [one.name.toLowerCase(), one._id]));
  const read = markDuplicates(rows.map((row) => parseRow(row, sites, region)));
  const wrong = read.filter(({ fault }) => fault !== '').map((one) => lineReport(one, 'wrong'));
  if (wrong.length > 0) return { reports: wrong, wrong: wrong.length };
  return await inTransaction((session) => store(session, read, now));
}

function parseRow(row: Row, sites: Map<string, UserRecord['location']>, region: string): ParsedRow {
  const { cells } = row;
  // Spreadsheets add line breaks inside cells.
  const get = (column: (typeof COLUMNS)[number]) => cells.get(column)?.replace(/\s+/g, ' ') || undefined;
  const site = get('location');
  const location = site ? (sites.get(site.toLowerCase()) ?? null) : null;
  /** Collects the errors of all cells, so that the list can be corrected in one go. */
  const faults = new Map<string, string>();
  const attempt = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      for (const { path, message } of error.errors ?? []) if (!faults.has(path)) faults.set(path, message);
      return null;
    }
  };
  const person = attempt(() =>
    parseInput(UserCreate, {
      phone: get('phone') ?? '',
      firstName: get('firstName') ?? '',
      lastName: get('lastName') ?? '',
      email: get('email'),
      role: get('role')?.toUpperCase().replace(/[ -]/g, '_') ?? 'VOLUNTEER',
    }),
  );
  const phone = attempt(() => requirePhone(get('phone') ?? '', region));
  if (site && !location) faults.set('location', `there is no site with the name "${site}"`);
  const fault = [...faults].map(([path, message]) => `${path}: ${message}`).join('; ');
  if (!person || !phone) return { ...row, fault, given: null };
  const { firstName, lastName, role, email = null } = person;
  return { ...row, fault, given: { phone, firstName, lastName, role, email, location } };
}

function markDuplicates(rows: ParsedRow[]): ParsedRow[] {
  const first = new Map<string, number>();
  return rows.map((row) => {
    const { given: person, line, fault } = row;
    if (!person) return row;
    const other = first.get(person.phone);
    if (other === undefined) first.set(person.phone, line);
    return other === undefined ? row : { ...row, fault: fault || `line ${other} has this phone too` };
  });
}

function lineReport(
  { line, cells, given: person, fault }: ParsedRow,
  result: PersonImportLine['result'],
): PersonImportLine {
  const name = [cells.get('firstName'), cells.get('lastName')].filter(Boolean).join(' ');
  return {
    line,
    phone: person?.phone ?? cells.get('phone') ?? '',
    name,
    role: person?.role ?? null,
    result,
    detail: fault,
  };
}

const WAS_DELETED = 'an account with this phone was deleted; make a new one with "users create"';
const WAS_SUSPENDED = 'the account with this phone was moved back to PENDING';

async function store(session: ClientSession, rows: ParsedRow[], now: Date) {
  const phones = rows.flatMap(({ given: person }) => person?.phone ?? []);
  const users = await UserModel.find({ phone: { $in: phones }, deletedAt: null })
    .session(session)
    .lean<UserRecord[]>();
  const userByPhone = new Map(users.map((user) => [user.phone, user]));
  const suspended = await findSuspended(session, users);
  const deleted = await findDeletedPhones(session, phones);
  const newUsers: UserRecord[] = [];
  const waiting: UserRecord[] = [];
  const reports = rows.map((row): PersonImportLine => {
    const { given: person } = row;
    if (!person) throw new Error('a line without a person');
    const user = userByPhone.get(person.phone);
    if (!user && deleted.has(person.phone)) return lineReport({ ...row, fault: WAS_DELETED }, 'wrong');
    if (!user) {
      newUsers.push(newUser({ ...person, approvalStatus: 'APPROVED' }, now));
      return lineReport(row, 'created');
    }
    const fault =
      describeUserDifferences(user, person) || (suspended.has(String(user._id)) ? WAS_SUSPENDED : '');
    if (fault) return lineReport({ ...row, fault }, 'wrong');
    if (user.approvalStatus === 'APPROVED') return lineReport(row, 'unchanged');
    waiting.push(user);
    return lineReport(row, 'approved');
  });
  const wrong = reports.filter(({ result }) => result === 'wrong');
  if (wrong.length > 0) return { reports: wrong, wrong: wrong.length };
  if (newUsers.length > 0) await insertUsers(session, newUsers, { by: null, now });
  for (const user of waiting) {
    await applyUserChanges(session, user, { approvalStatus: 'APPROVED' }, { by: null, now });
  }
  return { reports, wrong: 0 };
}

/** The ids of those who were moved back to pending, because an old list must not approve them again. */
async function findSuspended(session: ClientSession, users: UserRecord[]): Promise<Set<string>> {
  const pending = users.filter(({ approvalStatus }) => approvalStatus === 'PENDING').map(({ _id }) => _id);
  const movedBack = { $elemMatch: { path: 'approvalStatus', after: 'PENDING' } };
  const filter = { record: { $in: pending }, action: 'update' as const, changes: movedBack };
  return new Set((await AuditEventModel.distinct('record', filter).session(session)).map(String));
}

async function findDeletedPhones(session: ClientSession, phones: string[]): Promise<Set<string>> {
  const filter = { deletedAt: { $gt: new Date(0) }, phone: { $in: phones } };
  return new Set(await UserModel.distinct('phone', filter).session(session));
}

/** How the data differ from the account with the same phone; an empty email or location isn't compared. */
export function describeUserDifferences(user: UserRecord, person: Partial<PersonFields>): string {
  const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));
  const fields = (['firstName', 'lastName', 'email', 'role', 'location'] as const).filter(
    (field) => text(person[field]) !== '' && text(person[field]) !== text(user[field]),
  );
  if (fields.length > 0) {
    return `there is an account with this phone already, with another ${fields.join(', ')}`;
  }
  return user.approvalStatus === 'REJECTED' ? 'there is an account with this phone already, REJECTED' : '';
}
