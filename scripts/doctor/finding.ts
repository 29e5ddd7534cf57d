/** A finding of the doctor: fine, worth a look, or wrong, and how to fix it. */

export type State = 'OK' | 'LOOK' | 'WRONG';

export interface Finding {
  state: State;
  text: string;
  /** One sentence, with the command. */
  fix?: string;
}

export interface Part {
  name: string;
  findings: Finding[];
}

export const ok = (text: string): Finding => ({ state: 'OK', text });
export const warning = (text: string, fix: string): Finding => ({ state: 'LOOK', text, fix });
export const failure = (text: string, fix: string): Finding => ({ state: 'WRONG', text, fix });

export const stateOf = (findings: Finding[]): State =>
  (['WRONG', 'LOOK'] as const).find((state) => findings.some((one) => one.state === state)) ?? 'OK';

/** WORKDIR of the Dockerfile. */
const isImage = process.cwd() === '/app';
/** The command for each of the two ways in docs/deploy.md. */
export const commandForSetup = (systemd: string, compose: string): string => (isImage ? compose : systemd);

export const RESTART =
  process.env.NODE_ENV?.trim() === 'production'
    ? commandForSetup(
        'sudo systemctl restart field-survey@3001 field-survey@3002',
        'sudo docker compose up -d --force-recreate app',
      )
    : 'npm start';

export const HOUR_MS = 3_600_000;
/** "3 days", or "5 hours" below two days. */
export function spanOf(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  if (hours === 0) return 'less than an hour';
  const [count, unit] = hours < 48 ? [hours, 'hour'] : [Math.floor(hours / 24), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The system's or OpenSSL's word for what went wrong, such as ECONNREFUSED. */
export function codeOf(error: unknown): string {
  const { code, cause, message } = (error ?? {}) as { code?: unknown; cause?: unknown; message?: string };
  if (typeof code === 'string') return code;
  return cause ? codeOf(cause) : ((message ?? String(error)).split('\n')[0] ?? '');
}
