/**
 * Checks until when the certificates are valid: of the public address, of each member of the database, and of its
 * authority.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import tls from 'node:tls';
import type { Config } from '../../src/platform/config.ts';
import { DAY_MS } from '../../src/platform/lib/day.ts';
import { codeOf, commandForSetup, type Finding, failure, ok, spanOf, warning } from './finding.ts';
import { driverOptions } from './settings.ts';

const TIMEOUT_MS = 5_000;
const SOON_MS = 14 * DAY_MS;

interface Examined {
  what: string;
  host: string;
  port: number;
  ca?: Buffer;
  fix: string;
}

const FIX_PUBLIC = commandForSetup(
  'Caddy renews it by itself. Find out why it didn’t: sudo journalctl -u caddy -n 50; then: sudo systemctl restart caddy',
  'Caddy renews it by itself. Find out why it didn’t: sudo docker compose logs --tail 50 proxy; then: sudo docker compose restart proxy',
);
/** `folder`: of the keys. Its members need a new certificate each; the authority stays. */
const fixMember = (folder: string, member: string) =>
  commandForSetup(
    `On the server with ca.key: sudo rm ${folder}/${member}.pem; sudo deploy/make-keys.sh ${folder} ${member}; copy the file to that member if it is another machine, and there: sudo systemctl restart mongod`,
    `On the server: rm deploy/keys/${member}.pem; sudo deploy/make-keys.sh deploy/keys ${member}; sudo docker compose restart ${member}`,
  );
const FIX_AUTHORITY =
  'Create the authority and all certificates again (docs/deploy.md, “The rights in the database”), on all members, then restart them and the service.';

export async function examineCertificates(config: Config, now: Date): Promise<Finding[]> {
  const targets: Examined[] = [];
  const findings: Finding[] = [];
  const url = new URL(config.publicUrl);
  if (url.protocol === 'https:')
    targets.push({ what: 'PUBLIC_URL', host: url.hostname, port: Number(url.port || 443), fix: FIX_PUBLIC });
  const { hosts = [], tls: isTls, tlsCAFile } = driverOptions(config);
  if (isTls) {
    const ca = tlsCAFile ? readOr(tlsCAFile) : undefined;
    for (const { host = '', port = 27_017 } of hosts)
      targets.push({
        what: `${host}:${port}`,
        host,
        port,
        ...(ca && { ca }),
        fix: fixMember(dirname(tlsCAFile ?? ''), host),
      });
    if (ca) findings.push(...assessFile('The database’s authority', ca, now));
  }
  const all = await Promise.all(targets.map((one) => examine(one, now)));
  findings.push(...all.flat());
  const faults = findings.filter(({ state }) => state !== 'OK');
  if (faults.length > 0) return faults;
  return [
    ok(
      findings.length === 0
        ? 'none: neither PUBLIC_URL nor the database has TLS'
        : findings.map(({ text }) => text).join(', '),
    ),
  ];
}

function readOr(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined; // The line “files” tells.
  }
}

function assessFile(what: string, content: Buffer, now: Date): Finding[] {
  try {
    return assess(what, new X509Certificate(content), now, FIX_AUTHORITY);
  } catch {
    return [failure(`${what} is not a certificate.`, FIX_AUTHORITY)];
  }
}

function assess(
  what: string,
  { validFrom, validTo }: Pick<X509Certificate, 'validFrom' | 'validTo'>,
  now: Date,
  fix: string,
): Finding[] {
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  const remainingMs = to - now.getTime();
  if (remainingMs < 0) return [failure(`${what}: the certificate expired ${spanOf(-remainingMs)} ago.`, fix)];
  if (from > now.getTime())
    return [
      failure(
        `${what}: the certificate is not valid until ${new Date(from).toISOString()}.`,
        'Check the clock: timedatectl',
      ),
    ];
  // Short-lived certificates are renewed late, too.
  if (remainingMs < Math.min(SOON_MS, (to - from) / 6))
    return [warning(`${what}: the certificate expires in ${spanOf(remainingMs)}.`, fix)];
  return [ok(`${what} ${spanOf(remainingMs)} left`)];
}

/** A server that does not answer is told of in its own line. */
async function examine({ what, host, port, ca, fix }: Examined, now: Date): Promise<Finding[]> {
  const result = await certificateOf(host, port, ca).catch((error: unknown) => codeOf(error));
  if (typeof result === 'string')
    return [warning(`${what}: not checked, because it doesn’t answer (${result}).`, 'Fix that first.')];
  const { certificate, refused } = result;
  const dates = assess(what, { validFrom: certificate.valid_from, validTo: certificate.valid_to }, now, fix);
  if (dates.some(({ state }) => state === 'WRONG') || !refused) return dates;
  return [failure(`${what}: the certificate is refused (${refused}).`, fix)];
}

function certificateOf(
  host: string,
  port: number,
  ca?: Buffer,
): Promise<{ certificate: tls.PeerCertificate; refused: string | null }> {
  const name = host.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      ...{ host: name, port, rejectUnauthorized: false, timeout: TIMEOUT_MS },
      ...(ca && { ca }),
      ...(isIP(name) ? {} : { servername: name }),
    });
    const end = (error?: Error) => {
      socket.destroy();
      if (error) reject(error);
    };
    socket.once('error', end);
    socket.once('timeout', () => end(new Error('timeout')));
    socket.once('close', () => reject(new Error('closed')));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate();
      const byAuthority = socket.authorized ? null : codeOf(socket.authorizationError);
      const byName = tls.checkServerIdentity(name, certificate) ? 'it is for another name' : null;
      resolve({ certificate, refused: byAuthority ?? byName });
      socket.destroy();
    });
  });
}
