// Converted adapters in the data folder, one file for each adapter and base. An adapter that was trained on, or another
// base file, is another file.
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openThread } from '#server/apart/apart.ts';
import { openAsks } from '#server/apart/asks.ts';
import { CannotServe } from './cannotServe.ts';
import type { ConvertOrder } from './convertAdapter.ts';
import type { ConvertThread } from './convertApart.ts';

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

async function convertInThread(order: ConvertOrder): Promise<void> {
  const { apart, ask } = openAsks<ConvertThread>(
    (onMessage) => openThread({ entry: new URL('./convertApart.ts', import.meta.url), onMessage }),
    { refusal: CannotServe },
  );
  await ask('convert', order).finally(() => apart.end());
}

async function toMark(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return `${path}\n${found?.size ?? 0}\n${found?.mtimeMs ?? 0}`;
}

/** `folder`: where the files are kept. */
export function openAdapterFiles(folder: string): AdapterFiles {
  const running = new Map<string, Promise<string>>();
  async function make(target: string, { root, folder: path }: AdapterPlace, base: string): Promise<string> {
    if (await stat(target).catch(() => null)) return target;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await convertInThread({ root, folder: path, base, target });
    return target;
  }
  return {
    async convert(adapter, base) {
      const weights = join(adapter.root, adapter.folder, 'adapter_model.safetensors');
      const marks = await Promise.all([weights, base].map(toMark));
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
