/** The staff of the simulated study. Like real people they sign up, are approved, and sign in each morning. */
import type { Client, Reply } from './client.ts';
import type { SimulatedService } from './service.ts';

export interface Worker {
  name: string;
  role: 'SUPER_ADMIN' | 'ADMIN' | 'MANAGER' | 'VOLUNTEER';
  phone: string;
  site: number;
  token: string;
}

export interface Site {
  id: string;
  name: string;
  coordinates?: { latitude: number; longitude: number } | null;
}

export interface Team {
  root: Worker;
  admin: Worker;
  managers: Worker[];
  volunteers: Worker[];
  sites: Site[];
  /** Each morning, since a token lasts half a day. */
  signIn(): Promise<void>;
}

const SITES = [
  {
    name: 'Harbor day center',
    type: 'SHELTER',
    address: '120 Harbor Ave, daily 9-17',
    latitude: 47.602,
    longitude: -122.338,
  },
  {
    name: 'Hill Street kitchen',
    type: 'MEAL_SITE',
    address: '88 Hill St, daily 9-17',
    latitude: 47.612,
    longitude: -122.321,
  },
  {
    name: 'Clínica del Valle',
    type: 'CLINIC',
    address: '4 Valley Rd, daily 9-17',
    latitude: 47.567,
    longitude: -122.311,
  },
  {
    name: 'North library',
    type: 'OTHER',
    address: '501 North Ave, daily 9-17',
    latitude: 47.661,
    longitude: -122.325,
  },
];
const FIRST_NAMES = [
  'Mo',
  'Mia',
  'Max',
  'Mei',
  'Vera',
  'Vic',
  'Valentina',
  'Victor',
  'Violet',
  'Vito',
  'Viola',
  'Vance',
];
const LAST_NAMES = [
  'Okafor',
  'Reyes',
  'Lind',
  'Tanaka',
  'Diaz',
  'Berg',
  'Soto',
  'Novak',
  'Hall',
  'Cruz',
  'Ivers',
  'Moon',
];

interface Opening {
  client: Client;
  service: SimulatedService;
  /** Of the link that a service without a super-admin prints. */
  setupToken: string;
  perSite: number;
  study: object;
}

/** Sites, settings and accounts, all through the API. */
export async function openStudy(opening: Opening): Promise<Team> {
  const { client, service } = opening;
  const team: Worker[] = [];
  const phones = phoneNumbers();
  const root = worker('Rosa Adeyemi', 'SUPER_ADMIN', phones(), 0);
  const [firstName, lastName] = root.name.split(' ');
  const { setupToken: token } = opening;
  const first = { token, phone: root.phone, firstName, lastName };
  const setup = { path: '/api/setup', body: first };
  root.token = (await byCode<{ token: string }>(opening, setup, setup)).token;

  const sites: Site[] = [];
  for (const { latitude, longitude, ...site } of SITES) {
    const body = { ...site, coordinates: { latitude, longitude } };
    sites.push(await client.must<Site>('POST', '/api/locations', root.token, body));
  }
  await client.must('PATCH', '/api/study', root.token, opening.study);

  const admin = worker('Ana Whitfield', 'ADMIN', phones(), 0);
  const managers = sites.map((_, site) => worker(nameOf(site), 'MANAGER', phones(), site));
  const volunteers = sites.flatMap((_, site) =>
    Array.from({ length: opening.perSite }, (_, at) =>
      worker(nameOf(sites.length + at * sites.length + site), 'VOLUNTEER', phones(), site),
    ),
  );
  team.push(root, admin, ...managers, ...volunteers);
  for (const one of [admin, ...managers, ...volunteers]) {
    const { id } = await signUp(client, service, one, sites[one.site]?.id ?? '');
    await client.must('PATCH', `/api/users/${id}`, root.token, { approvalStatus: 'APPROVED' });
  }
  const signInAll = async () => {
    for (const one of team) await signIn(client, service, one);
  };
  await signInAll();
  return { root, admin, managers, volunteers, sites, signIn: signInAll };
}

/** Signs up and is left waiting for approval. */
export async function signUpNewcomer(
  client: Client,
  service: SimulatedService,
  { site, at, name }: { site: Site; at: number; name: string },
): Promise<void> {
  await signUp(client, service, worker(name, 'VOLUNTEER', phoneOf(900 + at), 0), site.id);
}

function worker(name: string, role: Worker['role'], phone: string, site: number): Worker {
  return { name, role, phone, site, token: '' };
}

function nameOf(at: number): string {
  const round = Math.floor(at / FIRST_NAMES.length);
  return `${FIRST_NAMES[at % FIRST_NAMES.length]} ${LAST_NAMES[(at + 5 * round) % LAST_NAMES.length]}`;
}

const phoneOf = (at: number) => `+1206555${String(1000 + at).padStart(4, '0')}`;
function phoneNumbers(): () => string {
  let next = 0;
  return () => phoneOf(next++);
}

async function signUp(
  client: Client,
  service: SimulatedService,
  { name, role, phone }: Worker,
  location: string,
): Promise<{ id: string }> {
  const [firstName, lastName] = name.split(' ');
  const { user } = await byCode<{ user: { id: string } }>(
    { client, service },
    { path: '/api/auth/send-otp-signup', body: { phone } },
    { path: '/api/auth/verify-otp-signup', body: { phone, firstName, lastName, role, location } },
  );
  return user;
}

async function signIn(client: Client, service: SimulatedService, one: Worker): Promise<void> {
  const body = { phone: one.phone };
  const { token } = await byCode<{ token: string }>(
    { client, service },
    { path: '/api/auth/send-otp-login', body },
    { path: '/api/auth/verify-otp-login', body },
  );
  one.token = token;
}

interface OtpRequest {
  path: string;
  body: { phone: string; [field: string]: string | undefined };
}

/**
 * What a code that was sent opens. To the database, whose clock is the real one, a code of the simulated past has expired,
 * and it may be cleared away before it is used: then another one is asked for.
 */
async function byCode<T>(
  { client, service }: Pick<Opening, 'client' | 'service'>,
  send: OtpRequest,
  verify: OtpRequest,
  tries = 3,
): Promise<T> {
  await client.must('POST', send.path, null, send.body);
  const body = { ...verify.body, code: service.codeFor(verify.body.phone) };
  const reply: Reply<T & { code?: string }> = await client.send('POST', verify.path, null, body);
  if (reply.status < 300) return reply.body;
  if (reply.body.code === 'OTP_INVALID' && tries > 1)
    return await byCode<T>({ client, service }, send, verify, tries - 1);
  throw new Error(`${verify.path} was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
}
