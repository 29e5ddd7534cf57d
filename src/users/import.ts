/**
 * A list of people as a spreadsheet saves it, made into approved accounts: all of them or none. The same list again
 * changes nothing. What an account has become since is not changed by an old list: that is refused, line by line.
 */
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../db/transaction.ts';
import { checked } from '../http/checked.ts';
import { readable, unreadable } from '../http/list-file.ts';
import { Problem } from '../http/problem.ts';
import { columnsOf, parseCsv } from '../lib/csv.ts';
import { textOf } from '../lib/text-file.ts';
import { listLocations } from '../locations/find.ts';
import { applyChanges } from './change.ts';
import { insertUsers, newUser, phoneOf } from './create.ts';
import { type UserRecord, Users } from './model.ts';
import { UserCreate } from './schema.ts';

const COLUMNS = ['phone', 'firstName', 'lastName', 'email', 'role', 'location'] as const;
const NEEDED = ['phone', 'firstName', 'lastName'] as const;
const MOST = 5_000;

export interface PersonLine {
  line: number;
  phone: string;
  name: string;
  role: UserRecord['role'] | null;
  result: 'created' | 'approved' | 'unchanged' | 'wrong';
  /** What is wrong. */
  detail: string;
}

type Given = Pick<UserRecord, 'phone' | 'firstName' | 'lastName' | 'email' | 'role' | 'location'>;
type Row = { line: number; cells: Map<(typeof COLUMNS)[number], string> };
type Read = Row & { given: Given | null; fault: string };

/** Where a line is wrong, the reports are of the wrong ones alone, and nothing is stored. */
export async function importUsers(
  bytes: Uint8Array,
  { region, now }: { region: string; now: Date },
): Promise<{ reports: PersonLine[]; wrong: number }> {
  const rows = readable(() => columnsOf(parseCsv(textOf(bytes)), { known: COLUMNS, needed: NEEDED }));
  if (rows.length === 0) throw unreadable('there is nobody in it');
  if (rows.length > MOST) throw unreadable(`it has more than ${MOST} people; import it in parts`);
  const sites = new Map((await listLocations()).map((one) => [one.name.toLowerCase(), one._id]));
  const read = withoutTwins(rows.map((row) => personOf(row, sites, region)));
  const wrong = read.filter(({ fault }) => fault !== '').map((one) => reportOf(one, 'wrong'));
  if (wrong.length > 0) return { reports: wrong, wrong: wrong.length };
  return await inTransaction((session) => store(session, read, now));
}

function personOf(row: Row, sites: Map<string, UserRecord['location']>, region: string): Read {
  const { cells } = row;
  // A line break in a cell is the spreadsheet's, not the person's.
  const get = (column: (typeof COLUMNS)[number]) => cells.get(column)?.replace(/\s+/g, ' ') || undefined;
  const site = get('location');
  const location = site ? (sites.get(site.toLowerCase()) ?? null) : null;
  /** What is wrong with each cell, all at once: who mends a list of people mends it once. */
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
  const given = attempt(() =>
    checked(UserCreate, {
      phone: get('phone') ?? '',
      firstName: get('firstName') ?? '',
      lastName: get('lastName') ?? '',
      email: get('email'),
      role: get('role')?.toUpperCase().replace(/[ -]/g, '_') ?? 'VOLUNTEER',
    }),
  );
  const phone = attempt(() => phoneOf(get('phone') ?? '', region));
  if (site && !location) faults.set('location', `there is no site with the name "${site}"`);
  const fault = [...faults].map(([path, message]) => `${path}: ${message}`).join('; ');
  if (!given || !phone) return { ...row, fault, given: null };
  const { firstName, lastName, role, email = null } = given;
  return { ...row, fault, given: { phone, firstName, lastName, role, email, location } };
}

function withoutTwins(rows: Read[]): Read[] {
  const first = new Map<string, number>();
  return rows.map((row) => {
    const { given, line, fault } = row;
    if (!given) return row;
    const other = first.get(given.phone);
    if (other === undefined) first.set(given.phone, line);
    return other === undefined ? row : { ...row, fault: fault || `line ${other} has this phone too` };
  });
}

function reportOf({ line, cells, given, fault }: Read, result: PersonLine['result']): PersonLine {
  const name = [cells.get('firstName'), cells.get('lastName')].filter(Boolean).join(' ');
  return {
    line,
    phone: given?.phone ?? cells.get('phone') ?? '',
    name,
    role: given?.role ?? null,
    result,
    detail: fault,
  };
}

async function store(session: ClientSession, rows: Read[], now: Date) {
  const phones = rows.flatMap(({ given }) => given?.phone ?? []);
  const found = await Users.find({ phone: { $in: phones }, deletedAt: null })
    .session(session)
    .lean<UserRecord[]>();
  const known = new Map(found.map((user) => [user.phone, user]));
  const made: UserRecord[] = [];
  const waiting: UserRecord[] = [];
  const reports = rows.map((row): PersonLine => {
    const { given } = row;
    if (!given) throw new Error('a line without a person');
    const user = known.get(given.phone);
    if (!user) {
      made.push(newUser({ ...given, approvalStatus: 'APPROVED' }, now));
      return reportOf(row, 'created');
    }
    const fault = differenceOf(user, given);
    if (fault) return reportOf({ ...row, fault }, 'wrong');
    if (user.approvalStatus === 'APPROVED') return reportOf(row, 'unchanged');
    waiting.push(user);
    return reportOf(row, 'approved');
  });
  const wrong = reports.filter(({ result }) => result === 'wrong');
  if (wrong.length > 0) return { reports: wrong, wrong: wrong.length };
  if (made.length > 0) await insertUsers(session, made);
  for (const user of waiting) {
    await applyChanges(session, user, { approvalStatus: 'APPROVED' }, { by: null, now });
  }
  return { reports, wrong: 0 };
}

/** Why these data are not those of the account that has their phone; an empty email or location says nothing. */
export function differenceOf(user: UserRecord, given: Partial<Given>): string {
  const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));
  const fields = (['firstName', 'lastName', 'email', 'role', 'location'] as const).filter(
    (field) => text(given[field]) !== '' && text(given[field]) !== text(user[field]),
  );
  if (fields.length > 0) {
    return `there is an account with this phone already, with another ${fields.join(', ')}`;
  }
  return user.approvalStatus === 'REJECTED' ? 'there is an account with this phone already, REJECTED' : '';
}
