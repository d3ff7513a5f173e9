// What Linux says of a process.
import { readFileSync } from 'node:fs';

/** Jiffies of /proc are hundredths of a second. */
const JIFFY_MS = 10;

/** CPU of all threads so far, in ms. */
export function readCpu(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * JIFFY_MS;
}

/** Resident memory in MB. */
export const readMemory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
