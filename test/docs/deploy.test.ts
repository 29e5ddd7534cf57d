/** Deployment files match the service: its settings, files and limits. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { MAX_BODY_BYTES } from '../../src/platform/http/bodies/body.ts';
import { apiRoutes } from '../../src/routes.ts';
import { ROOT, read } from './pages.ts';
import { variablesRead } from './settings.ts';

interface Service {
  deploy?: { replicas?: number };
  image?: string;
  command?: string[];
  env_file?: string;
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  restart?: string;
  read_only?: boolean;
  mem_limit?: string;
  healthcheck?: object;
  logging?: { driver?: string; options?: Record<string, string> };
  profiles?: string[];
  user?: string;
}

const compose: {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean } | null>;
} = parse(read('compose.yaml'), { merge: true });
/** Services that always run. */
const running = Object.entries(compose.services).filter(([, { profiles }]) => !profiles);
const units = readdirSync(join(ROOT, 'deploy/systemd')).filter((name) => !name.endsWith('.d'));
const caddyfile = read('deploy/Caddyfile');
/** Settings of other programs or of deploy/backup.sh, not of the service. */
const OTHERS = ['HOME', 'UPSTREAMS', 'HTTP_PORT', 'HTTPS_PORT', 'MALLOC_ARENA_MAX'];
const isSetting = (name: string) => variablesRead().includes(name) || OTHERS.includes(name);

describe('compose.yaml', () => {
  it('runs two processes of the service, three members of a replica set and a proxy', () => {
    expect(running.map(([name]) => name).sort()).toEqual(['app', 'mongo1', 'mongo2', 'mongo3', 'proxy']);
    expect(compose.services.app?.deploy?.replicas).toBe(2);
  });

  it('publishes only the ports of the proxy', () => {
    const published = running.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    expect(published).toEqual(['proxy 80:80', 'proxy 443:443', 'proxy 443:443/udp']);
  });

  it.each(running)(
    'restarts %s, limits its memory, checks its health, and makes its root file system read-only',
    (name, one) => {
      expect(one).toMatchObject({
        restart: 'unless-stopped',
        mem_limit: expect.any(String),
        read_only: true,
      });
      // The image of the service has its own health check.
      expect(name === 'app' ? read('Dockerfile') : JSON.stringify(one)).toMatch(/healthcheck/i);
    },
  );

  it.each(['mongo1', 'mongo2', 'mongo3'])(
    'runs %s with deploy/mongod.conf and its own data and certificate',
    (name) => {
      const { volumes = [], command = [] } = compose.services[name] ?? {};
      expect(command).toContain('--config=/etc/field-survey/mongo/mongod.conf');
      expect(volumes).toContain('./deploy/mongod.conf:/etc/field-survey/mongo/mongod.conf:ro');
      expect(volumes).toContain(`./deploy/keys/${name}.pem:/etc/field-survey/mongo/server.pem:ro`);
      expect(volumes).toContain(`${name}:/data/db`);
    },
  );

  it.each(running)('rotates the log of %s', (_name, { logging }) => {
    expect(logging?.options).toEqual({
      'max-size': expect.stringMatching(/^\d+m$/),
      'max-file': expect.stringMatching(/^\d+$/),
    });
  });

  it('has an internal network for the database', () => {
    expect(compose.networks.database).toEqual({ internal: true });
  });

  it('gives the proxy both processes of the service, but no secrets', () => {
    const { environment, env_file } = compose.services.proxy ?? {};
    expect(environment?.UPSTREAMS).toBe('field-survey-app-1:3000 field-survey-app-2:3000');
    expect(env_file).toBeUndefined();
    expect(read('compose.yaml')).toMatch(/^name: field-survey$/m);
  });

  it('sets no variable that the service does not read', () => {
    const names = Object.values(compose.services).flatMap(({ environment = {} }) => Object.keys(environment));
    const used = [...read('compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map((match) => match[1] ?? '');
    expect([...names, ...used].filter((name) => !isSetting(name))).toEqual([]);
  });

  it('mounts only files that exist or that deploy/make-keys.sh creates', () => {
    const mounted = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
      .filter((path) => path.startsWith('./') && !path.startsWith('./deploy/keys'));
    expect(mounted.length).toBeGreaterThan(0);
    expect(mounted.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('declares exactly the volumes it uses', () => {
    const named = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
      .filter((volume) => !volume.startsWith('.'));
    expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
  });
});

describe('deploy/mongod.conf', () => {
  const conf = parse(read('deploy/mongod.conf'));

  it('requires passwords and TLS, and does not log commands', () => {
    expect(conf.security).toMatchObject({ authorization: 'enabled' });
    expect(conf.net.tls).toMatchObject({ mode: 'requireTLS' });
    expect(conf.operationProfiling).toEqual({ mode: 'off', slowOpThresholdMs: 2 ** 31 - 1 });
  });

  it('limits transactions like the service’s own mongod', () => {
    const seconds = /TRANSACTION_SECONDS = (\d+)/.exec(
      read('src/platform/db/embedded/mongod-process.ts'),
    )?.[1];
    expect(String(conf.setParameter.transactionLifetimeLimitSeconds)).toBe(seconds);
  });
});

describe('Dockerfile', () => {
  const text = read('Dockerfile');

  it('copies only existing files that .dockerignore allows', () => {
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) =>
      (match[1] ?? '').split(' '),
    );
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map((match) => match[1] ?? '');
    const paths = copied.filter((path) => path !== '.');
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(paths.filter((path) => !allowed.includes(path.split('/')[0] ?? ''))).toEqual([]);
    expect(allowed.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('installs only production packages without their scripts, and does not run as root', () => {
    expect(text.match(/npm ci .*/g)).toEqual([
      expect.stringContaining('--omit=dev --ignore-scripts'),
      expect.stringContaining('--omit=dev --omit=optional --ignore-scripts'),
    ]);
    expect(text).toContain('\nUSER 1000:1000\n');
    expect(text).toContain('/api/health/ready');
  });

  it('sets no variable that the service does not read', () => {
    const set = [...text.matchAll(/^(?:ENV| {3}) ?([A-Z_]+)=/gm)].map((match) => match[1] ?? '');
    expect(set).toContain('DATA_DIR');
    expect(set.filter((name) => !isSetting(name))).toEqual([]);
  });
});

describe('deploy/systemd', () => {
  it.each(units)('%s runs existing files with existing settings', (unit) => {
    const text = read(`deploy/systemd/${unit}`);
    const files = [...text.matchAll(/(?:\/opt\/field-survey\/|^ExecStart=\/usr\/bin\/node )([\w./-]+)/gm)]
      .map((match) => (match[1] ?? '').replace(/^dist\/(.+)\.js$/, '$1.ts'))
      .filter((path) => path !== '.env');
    expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const settings = [...text.matchAll(/^Environment=(.+)$/gm)].flatMap((line) =>
      [...(line[1] ?? '').matchAll(/([A-Z_]+)=/g)].map((match) => match[1] ?? ''),
    );
    expect(settings.filter((name) => !isSetting(name))).toEqual([]);
  });

  it.each(units.filter((unit) => unit.endsWith('.timer')))('%s starts an existing service', (unit) => {
    expect(units).toContain(unit.replace('.timer', '.service'));
  });

  it.each(units.filter((unit) => unit.endsWith('.service')))('%s is sandboxed', (unit) => {
    const text = read(`deploy/systemd/${unit}`);
    for (const line of [
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'CapabilityBoundingSet=',
      'LimitCORE=0',
    ])
      expect(text).toMatch(new RegExp(`^${line}$`, 'm'));
    expect(text).toMatch(/^MemoryMax=/m);
    expect(text).toMatch(/^After=network-online.target/m);
  });
});

describe('deploy/systemd/*.d and deploy/notify.sh', () => {
  it.each(['caddy', 'mongod'])('%s is started again whenever it ends', (name) => {
    const text = read(`deploy/systemd/${name}.service.d/restart.conf`);
    expect(text).toMatch(/^Restart=always$/m);
    expect(text).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(read('docs/deploy.md').match(/cp -r deploy\/systemd\/\* \/etc\/systemd\/system\//g)).toHaveLength(
      2,
    );
  });

  it('a failed backup starts the notice', () => {
    expect(read('deploy/systemd/field-survey-backup.service')).toMatch(
      /^OnFailure=field-survey-notify@%n\.service$/m,
    );
    expect(units).toContain('field-survey-notify@.service');
  });

  const notify = (env: Record<string, string> = {}) =>
    spawnSync('sh', [join(ROOT, 'deploy/notify.sh'), 'field-survey-backup.service'], {
      env: { PATH: process.env.PATH ?? '', ...env },
      encoding: 'utf8',
    });

  it('logs the failure, and says when nobody could be told', () => {
    expect(notify()).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^<3>field-survey-backup\.service has failed on /),
    });
    const { status, stderr } = notify({ NOTIFY_URL: 'http://127.0.0.1:9/' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('could not be sent')]);
  });

  it('sends a mail', () => {
    const folder = mkdtempSync(join(tmpdir(), 'notify-'));
    try {
      const mail = join(folder, 'mail');
      writeFileSync(join(folder, 'sendmail'), `#!/bin/sh\n{ echo "$@"; cat; } >${mail}\n`, { mode: 0o755 });
      const env = { PATH: `${folder}:${process.env.PATH}`, NOTIFY_MAIL: 'a@example.org b@example.org' };
      expect(notify(env).status).toBe(0);
      expect(readFileSync(mail, 'utf8')).toMatch(
        /^a@example.org b@example.org\nTo: a@example.org, b@example.org\nSubject: .* has failed\n\n/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('deploy/journald.conf', () => {
  it('limits the log by size and age, as documented in the guide and the threat model', () => {
    const text = read('deploy/journald.conf');
    expect(text).toMatch(/^SystemMaxUse=1G$/m);
    expect(text).toMatch(/^MaxRetentionSec=90day$/m);
    expect(read('docs/deploy.md')).toContain('sudo cp deploy/journald.conf ');
    expect(read('docs/threat-model.md')).toMatch(/\| logs: .* 90 days/);
  });
});

describe('deploy/Caddyfile', () => {
  it('allows every body size that the service accepts', () => {
    const megabytes = Number(/max_size (\d+)MB/.exec(caddyfile)?.[1]);
    const max = Math.max(MAX_BODY_BYTES, ...apiRoutes.map(({ maxBytes = 0 }) => maxBytes));
    expect(megabytes * 1e6).toBeGreaterThan(max);
  });

  it('writes no request to a log, like nginx.conf', () => {
    expect(caddyfile).toMatch(/log default \{\s+format filter \{\s+wrap json\s+fields \{\s+request delete\s/);
    const servers = read('deploy/nginx.conf')
      .split(/^server \{$/m)
      .slice(1);
    expect(servers).toHaveLength(2);
    for (const server of servers)
      expect(server).toMatch(/^ {2}access_log off;\n {2}error_log \/dev\/null;$/m);
  });

  it('blocks the metrics from the internet, like nginx.conf', () => {
    expect(caddyfile).toMatch(/@metrics path \/metrics \/metrics\/\*\s+respond @metrics 404/);
    expect(read('deploy/nginx.conf')).toMatch(/location ~ \^\/metrics\(\/\|\$\) \{\s+return 404;/);
  });

  it('uses an existing health check path without rate limits', () => {
    const path = /health_uri (\S+)/.exec(caddyfile)?.[1];
    expect(apiRoutes.find((route) => route.path === path)).toMatchObject({
      access: 'public',
      unlimited: true,
    });
  });

  it('uses only variables that are set', () => {
    const used = [...caddyfile.matchAll(/\{\$([A-Z_]+)/g)].map((match) => match[1] ?? '');
    expect(used).toContain('PUBLIC_URL');
    expect(used.filter((name) => !isSetting(name))).toEqual([]);
  });
});

describe('docs/deploy.md', () => {
  const text = read('docs/deploy.md');
  /** Variables of the guide's commands and of deploy/backup.sh. */
  const own = ['HOSTS', 'KEEP_DAYS', 'NOTIFY_MAIL', 'NOTIFY_URL'];
  /** Of GET /api/health/ready. */
  const warnings = ['SLOW_CLIENTS', 'DISK_LOW', 'CERTIFICATE_EXPIRES', 'BACKUP_OLD'];

  it('mentions only existing settings', () => {
    const names = [...text.matchAll(/\b([A-Z][A-Z_]+)=|`([A-Z]+_[A-Z_]+)`/g)].map(
      (match) => match[1] ?? match[2] ?? '',
    );
    expect(names).toContain('MONGO_URI');
    const others = [...own, ...warnings];
    expect([...new Set(names)].filter((name) => !isSetting(name) && !others.includes(name))).toEqual([]);
  });

  it('mentions only existing files', () => {
    const paths = [...text.matchAll(/(?<![\w/])(deploy\/[\w./@-]*\w)/g)].map((match) => match[1] ?? '');
    const missing = paths.filter((path) => !existsSync(join(ROOT, path)) && path !== 'deploy/keys');
    expect(missing).toEqual([]);
  });

  it('deletes old copies of backups in the other place, after the server does', () => {
    const days = Number(/^[\d *]+ rsync .* && find .* -mtime \+(\d+) -delete$/m.exec(text)?.[1]);
    expect(days).toBeGreaterThan(30);
    expect(read('docs/threat-model.md')).toContain(`${days} days in the other place`);
  });

  it('has every setting required in production', () => {
    for (const name of [
      'PUBLIC_URL',
      'JWT_SECRET',
      'IDENTITY_KEY',
      'CONTACT_KEY',
      'FIELD_KEY',
      'MONGO_URI',
      'TRUST_PROXY',
      'TWILIO_AUTH_TOKEN',
    ])
      expect(text).toMatch(new RegExp(`^${name}=`, 'm'));
  });
});

describe('.gitignore', () => {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const isClone = git('rev-parse', '--git-dir').status === 0;

  (isClone ? it : it.skip)(
    'has the keys, backups and files of interviews that the guides put into the clone',
    () => {
      const paths = [
        'deploy/keys/ca.key',
        'deploy/keys/admin-password',
        'field-survey-backup.key',
        'study-2026-11-25T021500Z.archive',
        'study-2026-11-25T021500Z.archive.age',
        'interviews-2026-11-21.json',
        '.env',
      ];
      expect(
        git('check-ignore', ...paths)
          .stdout.trim()
          .split('\n'),
      ).toEqual(paths);
    },
  );
});

describe('SECURITY.md and docs/threat-model.md', () => {
  it('name a test or a drill for each promise', () => {
    const rows =
      read('SECURITY.md')
        .split('| promise |')[1]
        ?.split('\n')
        .slice(2)
        .filter((row) => row.startsWith('|')) ?? [];
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => !/`(test\/[^`]+\.test\.ts|npm run [^`]+)`/.test(row))).toEqual([]);
  });
});

describe('deploy/backup.sh', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'backup-sh-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  /** With a command in place of the service's backup. */
  const start = (command: string) =>
    spawn('sh', [join(ROOT, 'deploy/backup.sh'), folder, 'sh', '-c', command], { detached: true });

  it('leaves no file if it is ended', async () => {
    const child = start('echo answers; exec sleep 60');
    while (!readdirSync(folder).some((name) => statSync(join(folder, name)).size > 0)) await sleep(20);
    process.kill(-(child.pid as number), 'SIGTERM');
    const [code] = await once(child, 'exit');
    expect({ code, files: readdirSync(folder) }).toEqual({ code: 1, files: [] });
  });

  it('deletes backups older than 30 days and incomplete ones older than a day', async () => {
    const age = (name: string, days: number) => {
      writeFileSync(join(folder, name), '');
      const then = Date.now() / 1000 - days * 86_400 - 60;
      utimesSync(join(folder, name), then, then);
    };
    age('study-old.archive.age', 31);
    age('study-recent.archive', 29);
    age('.study-killed.archive.part', 1);
    age('.study-running.archive.part', 0);
    const [code] = await once(start('echo answers'), 'exit');
    expect(code).toBe(0);
    const isNow = /^study-\d{4}-/;
    expect(readdirSync(folder).filter((name) => !isNow.test(name))).toEqual([
      '.study-running.archive.part',
      'study-recent.archive',
    ]);
  });
});

describe('scripts in deploy/', () => {
  it.each(readdirSync(join(ROOT, 'deploy')).filter((name) => name.endsWith('.sh')))(
    '%s is a valid script',
    (name) => {
      execFileSync('sh', ['-n', join(ROOT, 'deploy', name)]);
    },
  );
});
