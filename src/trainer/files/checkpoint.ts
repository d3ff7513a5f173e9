// Checkpoints: everything that a run needs to go on with the same bits. A file is there whole or not at all.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

export interface CheckpointState {
  /** Of the job, the data and the base: a checkpoint of something else is not gone on from. */
  readonly fingerprint: string;
  /** Steps that are done. */
  readonly step: number;
  /** The loss of each of them. */
  readonly losses: readonly number[];
  /** The step with the lowest validation loss so far; null: none was measured. */
  readonly best: { readonly step: number; readonly loss: number } | null;
}

const MAGIC = 'nanockp1';

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

/**
 * Fills `runs` and returns the state. null: there is no such file, it is of another run, or it is damaged; then `runs`
 * are as they were.
 */
export function readCheckpoint(
  path: string,
  fingerprint: string,
  runs: readonly Float32Array[],
): CheckpointState | null {
  let file: Buffer;
  try {
    file = readFileSync(path);
  } catch {
    return null;
  }
  const from = MAGIC.length + 4;
  if (file.byteLength < from || file.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
  const dataStart = from + file.readUInt32LE(MAGIC.length);
  const size = runs.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (file.byteLength !== dataStart + size) return null;
  const state = JSON.parse(file.toString('utf8', from, dataStart)) as CheckpointState;
  if (state.fingerprint !== fingerprint) return null;
  let at = dataStart;
  for (const run of runs) {
    toBytes(run).set(file.subarray(at, at + run.byteLength));
    at += run.byteLength;
  }
  return { fingerprint, step: state.step, losses: state.losses, best: state.best ?? null };
}
