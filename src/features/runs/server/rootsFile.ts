// `run-roots.json` in the data folder: the roots that were added in the page, and how runs of any root are grouped and
// compared.
import { parseJson } from '#core/contract/readJson.ts';
import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { runGroupingSchema } from '#features/runs/shared/runs.ts';
import { codeOf } from './errorText.ts';
import { replaceFile } from './replaceFile.ts';

const FILE = 'run-roots.json';

const storedSchema = z.object({
  roots: z.array(
    z.object({
      /** Absolute. */
      path: z.string().check(z.minLength(1)),
      /** false: it comes from a flag, and only its grouping is kept. */
      added: z.boolean(),
      grouping: runGroupingSchema,
      /** null or absent: no measure was chosen. */
      measure: z.optional(z.nullable(z.string())),
    }),
  ),
});

export type StoredRoot = z.infer<typeof storedSchema>['roots'][number];

export interface RootsFile {
  /** The data folder. */
  readonly folder: string;
  /** The stored roots; none if there is no file, or a damaged one, which is kept beside. */
  read(): Promise<readonly StoredRoot[]>;
  /** As a whole or not at all. Throws if the folder can't be written. */
  write(roots: readonly StoredRoot[]): Promise<void>;
}

export function openRootsFile(dataDir: string, report: (line: string) => void): RootsFile {
  const file = join(dataDir, FILE);
  let writing: Promise<void> = Promise.resolve();

  async function putAside(why: string): Promise<void> {
    const aside = `${file}.damaged-${randomBytes(3).toString('hex')}`;
    const isKept = await rename(file, aside).then(
      () => true,
      () => false,
    );
    report(
      `Warning: ${file} is damaged (${why}), so the folders with runs that were added in the page are forgotten. ` +
        `Add them again${isKept ? `; the file is kept as ${aside}` : ''}.`,
    );
  }

  return {
    folder: dataDir,
    async read() {
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT')
          report(`Warning: ${file} can't be read (${codeOf(error)}). Check its permissions.`);
        return null;
      });
      if (text === null) return [];
      await chmod(file, 0o600).catch(() => undefined);
      const value = parseJson(text);
      if (value === undefined) {
        await putAside('it is not valid JSON');
        return [];
      }
      const stored = storedSchema.safeParse(value);
      if (stored.success) return stored.data.roots;
      await putAside('it does not hold a list of roots');
      return [];
    },
    write: (roots) =>
      (writing = writing
        .catch(() => undefined)
        .then(() => replaceFile(file, `${JSON.stringify({ roots }, null, 2)}\n`))),
  };
}
