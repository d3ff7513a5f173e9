// The ids that runs of a root have, by the places of what is known of them: one file for each root in the data folder, so
// that an id that was given once stays, whatever is read first after a restart.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { codeOf } from './errorText.ts';

const keptSchema = z.object({
  id: z.string(),
  /** Of its evidence: format, folder and key. */
  places: z.array(z.string()),
  /** Ids that follow from what it wrote. A run at the same places that wrote other things is another one. */
  contents: z.array(z.string()),
});
const fileSchema = z.object({ runs: z.array(keptSchema) });

export type KeptId = z.infer<typeof keptSchema>;

/** At once: calls that wait for their turn wait behind a mount that hangs. The files are small. */
export interface RunIdsFile {
  /** None if there is no file, or a damaged one: ids are then made again from what the runs wrote. */
  read(): readonly KeptId[];
  /** Adds to what another service wrote meanwhile. Why it can't be kept, a sentence; null: it is. */
  write(kept: readonly KeptId[]): string | null;
}

function readKept(file: string): readonly KeptId[] {
  try {
    const read = fileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return read.success ? read.data.runs : [];
  } catch {
    return [];
  }
}

function replace(file: string, text: string): void {
  const made = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(made, text, { mode: 0o600, flag: 'wx' });
    renameSync(made, file);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

/** `folder`: in the data folder; made when it is needed. */
export function openRunIdsFile(folder: string, rootId: string): RunIdsFile {
  const file = join(folder, `${rootId}.json`);
  return {
    read: () => readKept(file),
    write(kept) {
      const own = new Set(kept.map(({ id }) => id));
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const others = readKept(file).filter(({ id }) => !own.has(id));
        replace(file, `${JSON.stringify({ runs: [...kept, ...others] })}\n`);
        return null;
      } catch (error) {
        return (
          `The ids of its runs can't be kept in ${folder} (${codeOf(error)}), so stars and notes may be lost at the next ` +
          'start. Check that the studio may write there.'
        );
      }
    },
  };
}
