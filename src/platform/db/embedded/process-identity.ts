/**
 * Identifies a process by its number and start time, because numbers are reused, especially after a reboot and in
 * containers.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  pid: number;
  started: string;
}

/** Null if there is no such process; a zombie counts as ended. */
export function processIdentityOf(pid: number): ProcessIdentity | null {
  try {
    if (process.platform === 'linux') return fromProc(pid);
    process.kill(pid, 0);
    if (process.platform === 'win32') return { pid, started: '' };
    const [state, ...started] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/);
    return state?.startsWith('Z') ? null : { pid, started: started.join(' ') };
  } catch {
    return null;
  }
}

export function isProcessAlive(identity: Partial<ProcessIdentity> | null): boolean {
  if (!identity || typeof identity.pid !== 'number' || identity.pid <= 0) return false;
  return processIdentityOf(identity.pid)?.started === identity.started;
}

function fromProc(pid: number): ProcessIdentity | null {
  // "pid (name) state ppid ...": the name may contain spaces and brackets; the start time is field 22.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return { pid, started: `${boot}/${fields[19]}` };
}
