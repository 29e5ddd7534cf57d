/**
 * A world for tests: the service with its own database, a clock that can be moved, and people who send HTTP requests.
 *   const world = await startWorld();
 *   const ana = await world.person({ role: 'MANAGER', location: site });
 *   await ana.get('/api/surveys').expect(200);
 * People and places are written directly into the database, so that a test of one route doesn't depend on another.
 */
import { createSecretKey, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import pino from 'pino';
import supertest from 'supertest';
import type { OtpProvider } from '../src/access/auth/otp/otp.ts';
import { consoleOtp } from '../src/access/auth/otp/otp-console.ts';
import { type AppDeps, createApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/platform/config.ts';
import { disconnect } from '../src/platform/db/connect.ts';
import { insertFirstRecords, prepareDatabase } from '../src/resources.ts';
import { connectToEmpty, leave, shapeOf } from './spare-databases.ts';

export type Test = supertest.Test;
export type Role = 'SUPER_ADMIN' | 'ADMIN' | 'MANAGER' | 'VOLUNTEER';
export type ApprovalStatus = 'PENDING' | 'APPROVED' | 'REJECTED';
export const ROLES: readonly Role[] = ['SUPER_ADMIN', 'ADMIN', 'MANAGER', 'VOLUNTEER'];

export interface Grant {
  action: string;
  subject: string;
  conditions: string[];
}

export interface Verbs {
  get(url: string): Test;
  post(url: string, body?: object): Test;
  put(url: string, body?: object): Test;
  patch(url: string, body?: object, headers?: Record<string, string>): Test;
  delete(url: string): Test;
}

export interface Person extends Verbs {
  id: string;
  phone: string;
  /** Signed at each access, so that it is valid at any time of the clock. */
  readonly token: string;
}

export interface PersonOptions {
  role?: Role;
  approvalStatus?: ApprovalStatus;
  location?: string | null;
  locationAssignedAt?: Date;
  createdAt?: Date;
  permissions?: Grant[];
  firstName?: string;
  lastName?: string;
  email?: string | null;
  phone?: string;
  /** Whether the phone has ever returned a code by SMS; default true. */
  phoneProved?: boolean;
}

export interface Clock {
  set(at: string | Date): void;
  advance(milliseconds: number): void;
  now(): Date;
  /** Returns to the real time. */
  real(): void;
}

export interface World {
  app: Express;
  deps: AppDeps;
  url: string;
  clock: Clock;
  /** The last code sent, by phone. */
  otps: Map<string, string>;
  anonymous: Verbs;
  /** Requests with this token. */
  bearer(token: string): Verbs;
  person(options?: PersonOptions): Promise<Person>;
  /** A new location; its id. */
  place(name?: string): Promise<string>;
  /** A valid phone number that no one in this world has. */
  newPhone(): string;
  /** Also drops its database, unless something locks it for longer than this. */
  stop(dropWithinMs?: number): Promise<void>;
}

export interface WorldOptions {
  config?: Partial<Config>;
  otp?: OtpProvider;
  log?: AppDeps['log'];
  /** Uses a new database: for tests of the database itself. */
  fresh?: boolean;
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  let shape = await connectToEmpty('service', options);
  try {
    if (shape) await insertFirstRecords(new Date());
    else {
      await prepareDatabase(new Date());
      shape = await shapeOf();
    }
    return await openWorld(options, shape);
  } catch (error) {
    // Otherwise the open connection keeps its worker from exiting.
    await disconnect();
    throw error;
  }
}

/** The world of a test file, started before its first test. */
export function worldOfFile(options: WorldOptions = {}): World {
  const world = {} as World;
  beforeAll(async () => {
    Object.assign(world, await startWorld(options));
  });
  afterAll(() => world.stop());
  return world;
}

async function openWorld(options: WorldOptions, shape: string): Promise<World> {
  const config = { ...testConfig(), ...options.config };
  const clock = movableClock();
  const otps = new Map<string, string>();
  const otp = options.otp ?? recordingOtp(otps);
  const deps: AppDeps = { config, log: options.log ?? pino({ level: config.logLevel }), otp, now: clock.now };
  const app = createApp(deps);
  const server = app.listen(0, '127.0.0.1');
  // A connection that ends while idle could fail the next request.
  server.keepAliveTimeout = 0;
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const phones = phoneNumbers();

  return {
    app,
    deps,
    url,
    clock,
    otps,
    anonymous: verbs(url, () => undefined),
    bearer: (token) => verbs(url, () => token),
    person: (fields = {}) => insertPerson({ url, config, clock, phones }, fields),
    place: (name) => insertPlace(clock.now(), name),
    newPhone: phones,
    stop: (dropWithinMs = 20_000) => stop(server, shape, dropWithinMs),
  };
}

export function testConfig(): Config {
  return readConfig({
    NODE_ENV: 'test',
    JWT_SECRET: 'a secret for tests alone, longer than forty characters',
    IDENTITY_KEY: 'a key for tests alone, longer than forty characters',
    CONTACT_KEY: 'a key for contacts in tests, longer than forty characters',
    FIELD_KEY: 'AGE-SECRET-KEY-1EQCP92UMPH5NVTA22RGJZGE8Y6HSNDGXS0GEXL789W0D58KCMFMQS2L8MY',
    TIME_ZONE: 'America/Los_Angeles',
    DEFAULT_REGION: 'US',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    DATA_DIR: join(tmpdir(), `field-survey-test-${process.pid}`),
  });
}

/** The console provider, whose lines are read instead of printed. */
function recordingOtp(otps: Map<string, string>): OtpProvider {
  return consoleOtp((line) => {
    const [, phone, code] = /^OTP (\+\d+) (\d{6})\n$/.exec(line) ?? [];
    if (phone && code) otps.set(phone, code);
  });
}

function movableClock(): Clock {
  let fixed: Date | undefined;
  const now = () => (fixed ? new Date(fixed) : new Date());
  return {
    now,
    set: (at) => {
      fixed = new Date(at);
    },
    advance: (milliseconds) => {
      fixed = new Date(now().getTime() + milliseconds);
    },
    real: () => {
      fixed = undefined;
    },
  };
}

function phoneNumbers(): () => string {
  let next = 5_550_100;
  return () => `+1206${next++}`;
}

/** A connection of its own for each request costs a third of the request. */
const agent = new Agent({ keepAlive: true });

function verbs(url: string, token: () => string | undefined): Verbs {
  const http = supertest(url);
  const authorize = (test: Test, body?: object, headers: Record<string, string> = {}): Test => {
    void test.agent(agent);
    const bearer = token();
    if (bearer !== undefined) void test.set('Authorization', `Bearer ${bearer}`);
    for (const [name, value] of Object.entries(headers)) void test.set(name, value);
    return body === undefined ? test : test.send(body);
  };
  return {
    get: (path) => authorize(http.get(path)),
    post: (path, body) => authorize(http.post(path), body),
    put: (path, body) => authorize(http.put(path), body),
    patch: (path, body, headers) => authorize(http.patch(path), body, headers),
    delete: (path) => authorize(http.delete(path)),
  };
}

/** The token of a person's session, valid both at the test's clock and at the real time. */
function signToken(userId: string, config: Config, now: Date): string {
  const seconds = (at: number) => Math.floor(at / 1000);
  const latest = Math.max(now.getTime(), Date.now());
  return jwt.sign(
    { sub: userId, sid: userId, iat: seconds(now.getTime()), exp: seconds(latest) + 12 * 3600 },
    // With a string the library creates a key each time, which takes longer than signing.
    createSecretKey(Buffer.from(config.jwtSecret)),
    { algorithm: 'HS256' },
  );
}

interface Surroundings {
  url: string;
  config: Config;
  clock: Clock;
  phones: () => string;
}

async function insertPerson(around: Surroundings, fields: PersonOptions): Promise<Person> {
  const createdAt = fields.createdAt ?? around.clock.now();
  const location = fields.location ? new mongoose.Types.ObjectId(fields.location) : null;
  const phone = fields.phone ?? around.phones();
  const _id = new mongoose.Types.ObjectId();
  await mongoose.connection.collection('users').insertOne({
    _id,
    firstName: fields.firstName ?? 'Test',
    lastName: fields.lastName ?? 'Person',
    phone,
    email: fields.email ?? null,
    role: fields.role ?? 'VOLUNTEER',
    approvalStatus: fields.approvalStatus ?? 'APPROVED',
    approvedBy: null,
    location,
    locationAssignedAt: location ? (fields.locationAssignedAt ?? createdAt) : null,
    permissions: fields.permissions ?? [],
    ...(fields.phoneProved === false ? {} : { phoneProvedAt: createdAt }),
    sessions: [sessionOf(_id, around.clock.now())],
    createdBy: null,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
  });
  const id = _id.toHexString();
  const token = () => signToken(id, around.config, around.clock.now());
  return {
    id,
    phone,
    get token() {
      return token();
    },
    ...verbs(around.url, token),
  };
}

/** Has the user's id, and is good at any time of the clock. */
export const sessionOf = (id: mongoose.Types.ObjectId, now: Date) => ({
  ...{
    id,
    client: 'Firefox, Android',
    createdAt: now,
    lastSeenAt: new Date(new Date(now).setUTCMinutes(0, 0, 0)),
  },
  ...{ expiresAt: new Date('2099-01-01T00:00:00Z'), method: 'message', secondFactor: false },
});

async function insertPlace(now: Date, name = `Site ${randomUUID().slice(0, 8)}`): Promise<string> {
  const { insertedId } = await mongoose.connection.collection('locations').insertOne({
    name,
    address: null,
    type: 'SHELTER',
    coordinates: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  });
  return insertedId.toHexString();
}

async function stop(server: Server, shape: string, maxTimeMS: number): Promise<void> {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  // Waits for running transactions, including those left behind by an error.
  await leave('service', shape, maxTimeMS);
}
