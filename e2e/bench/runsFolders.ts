// A folder of runs as Hugging Face's trainers leave it, made quickly: event files with 10,000 points each, CRCs included.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HF_ARGUMENTS, text, versionEvent } from '#features/runs/server/formats/tfevents.fixture.ts';

/** Rows of a run; each has one point of each tag. */
export const ROWS = 2_500;
const TAGS = ['train/loss', 'train/grad_norm', 'train/learning_rate', 'train/epoch'] as const;
const START = 1_790_000_000;

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

function maskedCrc(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffffffff;
  for (let at = start; at < end; at += 1) crc = (crc >>> 8) ^ CRC[(crc ^ bytes[at]!) & 255]!;
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** Writes one scalar event at `at`; returns where the next begins. */
function writeScalar(bytes: Buffer, at: number, time: number, step: number, tag: Uint8Array, value: number): number {
  const data = at + 12;
  let next = bytes.writeDoubleLE(time, bytes.writeUInt8(0x09, data));
  next = bytes.writeUInt8(0x10, next);
  let rest = step;
  for (; rest > 127; rest >>>= 7) next = bytes.writeUInt8((rest & 127) | 128, next);
  next = bytes.writeUInt8(rest, next);
  const inner = 2 + tag.length + 5;
  for (const byte of [0x2a, inner + 2, 0x0a, inner, 0x0a, tag.length]) next = bytes.writeUInt8(byte, next);
  bytes.set(tag, next);
  next = bytes.writeFloatLE(value, bytes.writeUInt8(0x15, next + tag.length));
  bytes.writeBigUInt64LE(BigInt(next - data), at);
  bytes.writeUInt32LE(maskedCrc(bytes, at, at + 8), at + 8);
  return bytes.writeUInt32LE(maskedCrc(bytes, data, next), next);
}

const tagBytes = TAGS.map((tag) => new TextEncoder().encode(tag));
const scratch = Buffer.alloc(ROWS * TAGS.length * 100);

/** The rows `from` to `to` of a run, as event records. */
export function writeRows(run: number, from: number, to: number): Buffer {
  let at = 0;
  for (let row = from; row < to; row += 1) {
    const step = (row + 1) * 10;
    const share = row / ROWS;
    const wave = Math.sin(row * 0.7 + run);
    const values = [2.5 * Math.exp(-3 * share) + 0.05 * wave, 1 + 0.3 * wave, 2e-4 * (1 - share), 3 * share];
    const time = START + run * 60 + row * 1.37;
    for (const [index, tag] of tagBytes.entries())
      at = writeScalar(scratch, at, time + index * 1e-4, step, tag, values[index]!);
  }
  return Buffer.from(scratch.subarray(0, at));
}

/** An event file with one curve of so many points, in parts. */
export function* makePoints(count: number): Generator<Buffer> {
  yield Buffer.from(versionEvent(START));
  const most = ROWS * TAGS.length;
  for (let from = 0; from < count; from += most) {
    let at = 0;
    for (let step = from; step < Math.min(count, from + most); step += 1) {
      const value = 2.5 * Math.exp((-3 * step) / count) + 0.05 * Math.sin(step * 0.7);
      at = writeScalar(scratch, at, START + step * 0.37, step, tagBytes[0]!, value);
    }
    yield Buffer.from(scratch.subarray(0, at));
  }
}

export const pointsOf = (runs: number): number => runs * ROWS * TAGS.length;

const toSettings = (run: number, count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`setting_${at}`, at + (run % (at + 2)) / 8]));

/** Fifty runs in each folder; every run has its event file of `rows` rows, and `settings` more than the usual ones. */
export function makeRuns(root: string, count: number, rows = ROWS, settings = 0): void {
  for (let run = 0; run < count; run += 1) {
    const folder = `sweep-${Math.floor(run / 50)}/run-${run}`;
    const events = `${folder}/runs/Nov22_10-00-00_bench`;
    const eventFile = `${events}/events.out.tfevents.${START + run * 60}.bench.${4000 + run}.0`;
    mkdirSync(join(root, events), { recursive: true });
    const own = { output_dir: `/data/${folder}`, run_name: `run-${run}`, max_steps: ROWS * 10 + 1000 };
    const args = { ...HF_ARGUMENTS, ...own, ...toSettings(run, settings) };
    const head = [versionEvent(START + run * 60), text(START + run * 60, 'args', JSON.stringify(args, null, 2))];
    writeFileSync(join(root, eventFile), Buffer.concat([...head, writeRows(run, 0, rows)]));
  }
}

/** An event file with curves of so many points, in parts; each value has noise of its own. */
export function* makeCurves(tags: readonly string[], points: number, seed: number): Generator<Buffer> {
  const start = START + seed * 60;
  yield Buffer.concat([
    versionEvent(start),
    text(start, 'args', JSON.stringify({ ...HF_ARGUMENTS, max_steps: points - 1 })),
  ]);
  const names = tags.map((tag) => new TextEncoder().encode(tag));
  const most = Math.floor((ROWS * TAGS.length) / tags.length);
  for (let from = 0; from < points; from += most) {
    let at = 0;
    for (let step = from; step < Math.min(points, from + most); step += 1)
      for (const [place, name] of names.entries()) {
        const noise = Math.sin(step * (0.7 + place / 10) + seed) * Math.sin(step * 12.9898 + seed * 78.233 + place);
        const value = 0.5 + seed / 100 + 2.5 * Math.exp((-3 * step) / points) + 0.2 * noise;
        at = writeScalar(scratch, at, start + step * 1.37, step, name, value);
      }
    yield Buffer.from(scratch.subarray(0, at));
  }
}

/** `count` files that say nothing of a run, a hundred in each folder: rows, pictures and weights of other work. */
export function makeOtherFiles(root: string, count: number): void {
  for (let file = 0; file < count; file += 1) {
    const folder = join(root, `other-${Math.floor(file / 10_000)}`, `part-${Math.floor(file / 100)}`);
    if (file % 100 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `shard-${file}.arrow`), '');
  }
}
