// Identifies a running process, also when another process gets its pid later.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, in the system's own terms; null where the system doesn't report it. */
  readonly started: string | null;
  /** Where `pid` is unique: a machine since its start, or one container on it. */
  readonly space: string;
}

/**
 * Clock ticks between the machine's start and the process's: field 22 of /proc/<pid>/stat, whose field 2 may hold
 * spaces.
 */
function readLinuxStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function readStart(pid: number): string | null {
  if (process.platform === 'linux') return readLinuxStart(pid);
  if (process.platform === 'win32') return null;
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.trim() || null;
  } catch {
    return null;
  }
}

function readSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Of a running process of this machine. */
export function readIdentity(pid: number): ProcessIdentity {
  return { pid, started: readStart(pid), space: readSpace() };
}

export const readOwnIdentity = (): ProcessIdentity => readIdentity(process.pid);

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether this very process still runs; `unknown` when it is in another container or on another machine. */
export function findProcess(identity: ProcessIdentity): 'running' | 'gone' | 'unknown' {
  if (identity.space !== readSpace()) return 'unknown';
  if (!isAlive(identity.pid)) return 'gone';
  // A running process with another start time is a different one that got the same pid.
  return identity.started === null || identity.started === readStart(identity.pid) ? 'running' : 'gone';
}
