/** Checks the settings, including the strength of secrets, and who can read the files with secrets. */
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'dotenv';
import mongoose from 'mongoose';
import {
  type Config,
  ConfigError,
  ENVIRONMENT_SETTINGS,
  isGuessableSecret,
  readConfig,
} from '../../src/platform/config.ts';
import { newAgeIdentity } from '../../src/platform/lib/age/identity.ts';
import { type Finding, failure, ok, RESTART, warning } from './finding.ts';

const ENV_FILE = '.env';
const STAND_IN = 'stands in for a secret that is wrong or missing';

export interface Settings {
  /** As far as the settings are right. */
  config: Config;
  production: boolean;
  /** NAME: what is wrong with it. */
  faults: string[];
  /** The text of .env, empty if there is none. */
  envFile: string;
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const production = env.NODE_ENV?.trim() === 'production';
  const envFile = readEnvFile();
  try {
    return { config: readConfig(env, false), production, faults: [], envFile };
  } catch (error) {
    // Such as a file with a secret that belongs to another account.
    const faults = error instanceof ConfigError ? error.faults : [(error as Error).message];
    const faulty = (name: string) => faults.some((fault) => fault.startsWith(`${name}:`));
    const rest = Object.entries(env).filter(([name]) => !faulty(name));
    // What production asks for has been told; the other parts are examined all the same.
    const stand = {
      ...{ NODE_ENV: 'development', OTP_PROVIDER: '' },
      ...{ JWT_SECRET: STAND_IN, IDENTITY_KEY: STAND_IN, CONTACT_KEY: STAND_IN, FIELD_KEY: newAgeIdentity() },
    };
    return {
      config: readConfig({ ...Object.fromEntries(rest), ...stand }),
      production,
      faults,
      envFile,
    };
  }
}

export const SECRET_FAULT =
  /^(JWT_SECRET|JWT_SECRET_PREVIOUS|IDENTITY_KEY|CONTACT_KEY|FIELD_KEY|FIELD_KEYS_PREVIOUS):|-secret|-key/;
export const TWILIO_FAULT = /^(TWILIO_\w+|OTP_PROVIDER):/;
export const faultsAs = (faults: string[]): Finding[] =>
  faults.map((fault) => failure(`${fault}.`, `Correct it in .env, then: ${RESTART}`));

export function examineSettings({ config, production, faults, envFile }: Settings): Finding[] {
  const findings = faultsAs(faults.filter((fault) => !SECRET_FAULT.test(fault) && !TWILIO_FAULT.test(fault)));
  const unknown = Object.keys(parse(envFile)).filter((name) => !ENVIRONMENT_SETTINGS.includes(name));
  if (unknown.length > 0)
    findings.push(
      warning(`.env has names that are not settings: ${unknown.join(', ')}.`, 'See .env.example.'),
    );
  const isPublic = config.publicUrl.startsWith('https:');
  if (!production && isPublic)
    findings.push(
      warning(
        'NODE_ENV is not production, so settings that are only meant for trying out are accepted.',
        `Set NODE_ENV=production in .env, then: ${RESTART}`,
      ),
    );
  if (production && !isPublic && findings.length === 0)
    findings.push(
      failure(
        `PUBLIC_URL is ${config.publicUrl}; phones need https to work offline.`,
        `Set PUBLIC_URL=https://… in .env, then: ${RESTART}`,
      ),
    );
  return findings.length > 0
    ? findings
    : [ok(`${production ? 'production' : 'for trying out'}, ${config.publicUrl}`)];
}

function readEnvFile(): string {
  try {
    return readFileSync(ENV_FILE, 'utf8');
  } catch {
    return ''; // `unreadableEnvFile` tells where that matters.
  }
}

export function examineSecrets({ config, faults }: Settings): Finding[] {
  const findings = faultsAs(faults.filter((fault) => SECRET_FAULT.test(fault)));
  if (faults.length === 0) {
    const make = 'Create one with: openssl rand -hex 32';
    const secrets = {
      JWT_SECRET: config.jwtSecret,
      IDENTITY_KEY: config.identityKey,
      CONTACT_KEY: config.contactKey,
    };
    for (const [name, secret] of Object.entries(secrets))
      if (isGuessableSecret(secret)) findings.push(failure(`${name} is easy to guess.`, make));
    if (new Set(Object.values(secrets)).size < 3)
      findings.push(failure('Two of JWT_SECRET, IDENTITY_KEY and CONTACT_KEY are the same.', make));
  }
  return findings.length > 0
    ? findings
    : [ok('JWT_SECRET, IDENTITY_KEY, CONTACT_KEY and FIELD_KEY are long and random')];
}

const READABLE_BY_OTHERS = 0o004;

/** Files that hold secrets or answers: nobody but their owner and its group may read them. */
export function examineFiles({ config }: Settings, backups: string): Finding[] {
  const { dataDir } = config;
  const { tlsCAFile: caFile } = driverOptions(config);
  const secret = [
    ENV_FILE,
    ...['jwt-secret', 'identity-key', 'contact-key', 'field-key', 'setup-link', 'mongo'].map((name) =>
      join(dataDir, name),
    ),
    ...(caFile ? keysBeside(caFile) : []),
    backups,
  ].filter((path) => existsSync(path));
  const open = secret.filter((path) => (statSync(path).mode & READABLE_BY_OTHERS) !== 0);
  const findings = open.map((path) =>
    failure(`Every account on this machine can read ${path}.`, `Run: sudo chmod o-rwx ${path}`),
  );
  if (caFile && !isAllowed(caFile, constants.R_OK))
    findings.push(
      failure(
        `This account can’t read ${caFile}, which MONGO_URI names.`,
        `Run: sudo chmod 644 ${caFile} && sudo chmod 755 ${dirname(caFile)}`,
      ),
    );
  if (existsSync(dataDir) && !isAllowed(dataDir, constants.W_OK))
    findings.push(
      failure(
        `This account can’t write to DATA_DIR (${dataDir}).`,
        `If it is the service’s account: sudo chown -R survey:survey ${dataDir}. Otherwise run this as the service’s account: sudo -u survey npm run doctor`,
      ),
    );
  return findings.length > 0
    ? findings
    : [ok(`${secret.length} with secrets or data, closed to other accounts`)];
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** As the driver reads MONGO_URI; empty where it refuses it, which the line “database” tells. */
export function driverOptions({ mongoUri }: Config): Partial<mongoose.mongo.MongoOptions> {
  try {
    return mongoUri ? new mongoose.mongo.MongoClient(mongoUri).options : {};
  } catch {
    return {};
  }
}

/** As deploy/make-keys.sh leaves them beside the authority's certificate, which is no secret. */
function keysBeside(caFile: string): string[] {
  const folder = dirname(caFile);
  if (!isAllowed(folder, constants.R_OK)) return [];
  return readdirSync(folder)
    .filter((name) => /^(keyfile|admin-password|.+\.key|.+\.pem)$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => path !== caFile && path !== join(folder, 'ca.pem'));
}
