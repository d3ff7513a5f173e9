// Checkpoints: everything that a run needs to go on with the same bits. A file is there whole or not at all.
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs';

export interface CheckpointState {
  /** Of the job, the data and the base: a checkpoint of something else is not gone on from. */
  readonly fingerprint: string;
  /** Steps that are done. */
  readonly step: number;
  /** The loss of each of them. */
  readonly losses: readonly number[];
  /** The step with the lowest validation loss so far; null: none was measured. */
  readonly best: { readonly step: number; readonly loss: number } | null;
  /** That the run has been trained with, on which its bits depend; missing: one. */
  readonly threads?: number;
}

const MAGIC = 'nanockp1';

interface Head {
  /** Of each run of numbers. */
  readonly lengths: readonly number[];
}

/** Writes through a file beside it, which is renamed when it is on the disk. */
export function replaceFile(path: string, parts: readonly Uint8Array[]): void {
  const fresh = `${path}.part`;
  const file = openSync(fresh, 'w');
  try {
    for (const part of parts) {
      for (let at = 0; at < part.byteLength;) at += writeSync(file, part, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
}

const toBytes = (numbers: Float32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

export function writeCheckpoint(path: string, state: CheckpointState, runs: readonly Float32Array[]): void {
  const head = Buffer.from(JSON.stringify({ ...state, lengths: runs.map(({ length }) => length) }));
  const start = Buffer.alloc(MAGIC.length + 4);
  start.write(MAGIC, 'latin1');
  start.writeUInt32LE(head.byteLength, MAGIC.length);
  replaceFile(path, [start, head, ...runs.map(toBytes)]);
}

/** Reads exactly so many bytes; null: the file ends before. */
function readBytes(file: number, position: number, length: number): Buffer | null {
  const bytes = Buffer.alloc(length);
  return readSync(file, bytes, 0, length, position) === length ? bytes : null;
}

/** The state, and where the numbers begin. */
function readHead(file: number, fingerprint: string): { readonly state: CheckpointState; readonly end: number } | null {
  const from = MAGIC.length + 4;
  const start = readBytes(file, 0, from);
  if (start?.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
  const length = start.readUInt32LE(MAGIC.length);
  if (from + length > fstatSync(file).size) return null;
  const { lengths: _, ...state } = JSON.parse(String(readBytes(file, from, length))) as CheckpointState & Head;
  return state.fingerprint === fingerprint ? { state, end: from + length } : null;
}

function withFile<Found>(path: string, read: (file: number) => Found): Found | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return read(file);
  } finally {
    closeSync(file);
  }
}

/** Of the run's checkpoint; null: there is none. */
export const readCheckpointThreads = (path: string, fingerprint: string): number | null =>
  withFile(path, (file) => {
    const head = readHead(file, fingerprint);
    return head === null ? null : (head.state.threads ?? 1);
  });

/**
 * Fills `runs` and returns the state. null: there is no such file, it is of another run, or it is damaged; then `runs`
 * are as they were.
 */
export const readCheckpoint = (
  path: string,
  fingerprint: string,
  runs: readonly Float32Array[],
): CheckpointState | null =>
  withFile(path, (file) => {
    const head = readHead(file, fingerprint);
    const size = runs.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (head === null || fstatSync(file).size !== head.end + size) return null;
    const numbers = readBytes(file, head.end, size);
    if (numbers === null) return null;
    let at = 0;
    for (const run of runs) {
      toBytes(run).set(numbers.subarray(at, at + run.byteLength));
      at += run.byteLength;
    }
    return head.state;
  });
