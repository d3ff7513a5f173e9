// Which files have ended the process that loaded them. They are not loaded again until they change.
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** In the data folder. */
const FILE = 'crashed-models.json';
const MOST = 200;

const crashSchema = z.object({
  path: z.string(),
  identity: z.string(),
  /** What llama.cpp said last, or the signal. */
  reason: z.string(),
  /** ISO time. */
  at: z.string(),
});

type Crash = z.infer<typeof crashSchema>;

/** A file as it is now: its size and time. Throws where there is none. */
export async function readIdentity(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return `${size} ${mtimeMs}`;
}

export interface CrashMemory {
  /** The crash of this file as it is now; null: none. */
  find(path: string, identity: string): Promise<Crash | null>;
  add(crash: Crash): Promise<void>;
}

/** `folder` null: what is remembered ends with this process. A file that can't be read or written costs memory alone. */
export function openCrashMemory(folder: string | null): CrashMemory {
  const file = folder === null ? null : join(folder, FILE);
  let loading: Promise<Map<string, Crash>> | null = null;
  const load = (): Promise<Map<string, Crash>> => (loading ??= readCrashes(file));
  let saving: Promise<unknown> = Promise.resolve();
  return {
    async find(path, identity) {
      const found = (await load()).get(path);
      return found?.identity === identity ? found : null;
    },
    async add(crash) {
      const crashes = await load();
      crashes.delete(crash.path);
      crashes.set(crash.path, crash);
      const [oldest] = crashes.keys();
      if (crashes.size > MOST && oldest !== undefined) crashes.delete(oldest);
      if (file === null) return;
      const text = `${JSON.stringify([...crashes.values()], null, 2)}\n`;
      saving = saving.then(() => replaceFile(file, text)).catch(() => undefined);
      await saving;
    },
  };
}

async function readCrashes(file: string | null): Promise<Map<string, Crash>> {
  try {
    if (file === null) return new Map();
    const list = z.array(crashSchema).parse(JSON.parse(await readFile(file, 'utf8')));
    return new Map(list.map((crash) => [crash.path, crash]));
  } catch {
    return new Map();
  }
}

async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text, { mode: 0o600 });
  await rename(`${file}.part`, file);
}
