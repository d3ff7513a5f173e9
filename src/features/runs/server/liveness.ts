// Whether the process that trains still runs: asked of the operating system, for processes of this host alone.
import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAlive } from '#service/database/processIdentity.ts';
import type { FindProcess } from './runStatus.ts';

export interface ProcessTable {
  readonly host: string;
  isAlive(pid: number): boolean;
  /** Unix milliseconds; null where the system doesn't say. */
  startedAt(pid: number): number | null;
}

/** A run's first event comes after its process started; the clocks of both are the same. */
const SLACK_MS = 60_000;

const shorten = (host: string): string => host.toLowerCase().split('.')[0] ?? '';

export const findProcessIn =
  (table: ProcessTable): FindProcess =>
  ({ host, pid, startedAt }) => {
    if (pid === null || pid <= 0 || shorten(host) !== shorten(table.host)) return 'unknown';
    if (!table.isAlive(pid)) return 'gone';
    const began = table.startedAt(pid);
    return began !== null && startedAt !== null && began > startedAt + SLACK_MS ? 'gone' : 'alive';
  };

/** Clock ticks a second that Linux shows to programs. */
const TICKS = 100;

/** Field 22 of /proc/<pid>/stat counts from the start of the machine; field 2 may hold spaces. */
function readStart(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    const [, booted] = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8')) ?? [];
    const at = Number(booted) * 1000 + (ticks / TICKS) * 1000;
    return Number.isFinite(at) ? at : null;
  } catch {
    try {
      return statSync(`/proc/${pid}`).ctimeMs;
    } catch {
      return null;
    }
  }
}

/** The processes of this machine. */
export const ownProcesses: ProcessTable = { host: hostname(), isAlive, startedAt: readStart };
