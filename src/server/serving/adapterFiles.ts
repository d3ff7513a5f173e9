// Converted adapters in the data folder, one file for each adapter and base. An adapter that was trained on, or another
// base file, is another file.
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openProcess } from '#server/apart/apart.ts';
import { openAsks } from '#server/apart/asks.ts';
import { nearFiles, type Files } from '#server/files/files.ts';
import { Silence } from '#server/files/place.ts';
import { CannotServe } from './cannotServe.ts';
import type { ConvertOrder } from './convertAdapter.ts';
import type { ConvertProcess } from './convertApart.ts';

interface AdapterPlace {
  /** Real path of the root of runs. */
  readonly root: string;
  /** The adapter's folder below the root. */
  readonly folder: string;
}

/** What an earlier service left may be another one's, which shares the folder and has not said so yet. */
const LEFT_MS = 24 * 3600 * 1000;

export interface AdapterFiles {
  /** The path of the converted adapter, made if it is not there yet. Throws CannotServe. */
  convert(adapter: AdapterPlace, base: string): Promise<string>;
  /** Removes a converted adapter that nothing is served with any more. */
  remove(path: string): Promise<void>;
  /** Removes what was left more than a day ago, but not what is `used`: drafts, and adapters that are not served. */
  removeLeft(used: ReadonlySet<string>, now: number): Promise<void>;
}

/** Large adapters take seconds; one on a mount that hangs would take for ever. */
const LONGEST_MS = 600_000;

async function convertApart(order: ConvertOrder): Promise<void> {
  const { apart, ask } = openAsks<ConvertProcess>(
    (onMessage) => openProcess({ entry: new URL('./convertApart.ts', import.meta.url), onMessage }),
    {
      refusal: CannotServe,
      toError: ({ error, cause }) =>
        cause === 'asked'
          ? new CannotServe('The adapter takes too long to convert: its disk or network mount may hang. Check it.')
          : (error ?? new Error('It has ended.')),
    },
  );
  const timer = setTimeout(() => void apart.end(), LONGEST_MS);
  await ask('convert', order).finally(() => {
    clearTimeout(timer);
    return apart.end();
  });
}

/** Throws CannotServe for a file whose disk or mount does not answer. */
async function toMark(path: string, files: Files): Promise<string> {
  const found = await files.find(path).catch((error: unknown) => {
    if (error instanceof Silence) throw new CannotServe(`${path} can't be read: ${error.message}. Check the mount.`);
    return null;
  });
  return `${path}\n${found?.bytes ?? 0}\n${found?.modifiedAt ?? 0}`;
}

/** `folder`: where the files are kept. */
export function openAdapterFiles(folder: string, files: Files = nearFiles): AdapterFiles {
  const running = new Map<string, Promise<string>>();
  async function make(target: string, { root, folder: path }: AdapterPlace, base: string): Promise<string> {
    if (await stat(target).catch(() => null)) return target;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await convertApart({ root, folder: path, base, target });
    return target;
  }
  return {
    async convert(adapter, base) {
      const weights = join(adapter.root, adapter.folder, 'adapter_model.safetensors');
      const marks = await Promise.all([weights, base].map((path) => toMark(path, files)));
      const name = createHash('sha256').update(marks.join('\n')).digest('hex').slice(0, 32);
      const target = join(folder, `${name}.gguf`);
      const known = running.get(target);
      if (known) return known;
      const made = make(target, adapter, base).finally(() => running.delete(target));
      running.set(target, made);
      return made;
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
