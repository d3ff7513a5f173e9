// Converted weights in the data folder, one file for each checkpoint and base as they were. A checkpoint that was trained
// on, or another base file, is another file.
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openProcess } from '#service/threads/isolated.ts';
import { openAsks } from '#service/threads/threadRequests.ts';
import { CannotServe } from './cannotServe.ts';
import type { AdapterVerdict, ConvertOrder, MadeGguf, ModelVerdict, WantedGguf } from './convertWeights.ts';
import type { ConvertProcess } from './convertEntry.ts';
import type { WeightsPlace } from './runWeights.ts';
import type { Marks } from './servedFileStamps.ts';

/** What an earlier service left may be another one's, which shares the folder and has not said so yet. */
const LEFT_MS = 24 * 3600 * 1000;
/** Files of another one are made anew: this one writes others. */
const VERSION = 2;

/** A GGUF file whose reader has to close it. */
export interface OpenGguf extends MadeGguf {
  readonly close: () => Promise<void>;
}

export interface ConvertedFiles {
  /** The path of the converted file, made if it is not there yet. `marks`: of its sources. Throws CannotServe. */
  convert(wanted: WantedGguf, marks: Marks): Promise<string>;
  /** What each server can do with an adapter. Throws CannotServe. */
  judgeAdapter(place: WeightsPlace, bases: readonly string[]): Promise<AdapterVerdict>;
  judgeModel(place: WeightsPlace, name: string): Promise<ModelVerdict>;
  /** The same file, made while it is taken, and not kept. Throws CannotServe. */
  open(wanted: WantedGguf): Promise<OpenGguf>;
  /** Removes a converted file that nothing is served with any more. */
  remove(path: string): Promise<void>;
  /** Removes what was left more than a day ago, but not what is `used`: drafts, and files that are not served. */
  removeLeft(used: ReadonlySet<string>, now: number): Promise<void>;
}

/** Large weights take minutes; those on a mount that hangs would take for ever. */
const LONGEST_MS = 1_800_000;
/** Headers and configurations, or one piece of a file. */
const JUDGE_MS = 60_000;

const openConvertProcess = () =>
  openAsks<ConvertProcess>(
    (onMessage) => openProcess({ entry: new URL('./convertEntry.ts', import.meta.url), onMessage }),
    {
      refusal: CannotServe,
      toError: ({ error, cause }) =>
        cause === 'asked'
          ? new CannotServe('The weights take too long to read: their disk or network mount may hang. Check it.')
          : (error ?? new Error('It has ended.')),
    },
  );

type ConvertAsks = ReturnType<typeof openConvertProcess>;

/** Ends the process where it does not answer in time. */
async function inTime<Value>(ms: number, { isolated }: ConvertAsks, work: Promise<Value>): Promise<Value> {
  const timer = setTimeout(() => void isolated.end(), ms);
  return work.finally(() => clearTimeout(timer));
}

async function inProcess<Value>(ms: number, work: (ask: ConvertAsks['ask']) => Promise<Value>): Promise<Value> {
  const asks = openConvertProcess();
  return inTime(ms, asks, work(asks.ask)).finally(() => asks.isolated.end());
}

async function* takePieces(asks: ConvertAsks): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const piece = await inTime(JUDGE_MS, asks, asks.ask('next'));
    if (piece === null) return;
    yield piece;
  }
}

/** Writes weights as a GGUF file. Resolves to why that can't be done; null: it is written. */
export async function tryConvert(order: ConvertOrder): Promise<string | null> {
  try {
    await inProcess(LONGEST_MS, (ask) => ask('convert', order));
    return null;
  } catch (error) {
    if (error instanceof CannotServe) return error.message;
    throw error;
  }
}

/** `folder`: where the files are kept. */
export function openConvertedFiles(folder: string): ConvertedFiles {
  const running = new Map<string, Promise<string>>();
  async function make(order: ConvertOrder): Promise<string> {
    const { target } = order;
    if (await stat(target).catch(() => null)) return target;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await inProcess(LONGEST_MS, (ask) => ask('convert', order));
    return target;
  }
  return {
    async convert(wanted, marks) {
      const { place } = wanted;
      const base = wanted.kind === 'adapter' ? wanted.base : '';
      const form = wanted.kind === 'full' ? wanted.form : '';
      const source = [VERSION, wanted.kind, form, place.root, place.folder, marks.weights, base, marks.base].join('\n');
      const name = createHash('sha256').update(source).digest('hex').slice(0, 32);
      const target = join(folder, `${name}.gguf`);
      const known = running.get(target);
      if (known) return known;
      const made = make({ ...wanted, target }).finally(() => running.delete(target));
      running.set(target, made);
      return made;
    },
    judgeAdapter: (place, bases) => inProcess(JUDGE_MS, (ask) => ask('judgeAdapter', place, bases)),
    judgeModel: (place, name) => inProcess(JUDGE_MS, (ask) => ask('judgeModel', place, name)),
    async open(wanted) {
      const asks = openConvertProcess();
      const close = (): Promise<void> => asks.isolated.end();
      try {
        return { bytes: await inTime(JUDGE_MS, asks, asks.ask('open', wanted)), pieces: takePieces(asks), close };
      } catch (error) {
        await close();
        throw error;
      }
    },
    async remove(path) {
      // Somebody has just asked for it again.
      if (dirname(path) === folder && !running.has(path)) await rm(path, { force: true });
    },
    async removeLeft(used, now) {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        if (used.has(path) || !/^[0-9a-f]{32}\.gguf(\.\d+\.part)?$/.test(name)) continue;
        const found = await stat(path).catch(() => null);
        if (found && now - found.mtimeMs > LEFT_MS) await rm(path, { force: true });
      }
    },
  };
}
