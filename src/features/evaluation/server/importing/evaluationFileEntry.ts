// The thread behind readEvaluationFile.ts: reads one file, and ends.
import { open } from 'node:fs/promises';
import { ImportRefusal, type ImportedEvaluation } from '#features/evaluation/shared/imports/importedEvaluation.ts';
import { readImport } from '#features/evaluation/shared/imports/readImport.ts';
import { openSide, readData } from '#service/threads/isolatedSide.ts';

export interface EvaluationFile {
  readonly path: string;
  /** As its sender calls it. */
  readonly name: string;
}

export type ReadEvaluationFile =
  | { readonly imported: ImportedEvaluation }
  /** Why it can't be read, for people. */
  | { readonly refusal: string };

const { path, name } = readData<EvaluationFile>();
const side = openSide<never, ReadEvaluationFile>();
const file = await open(path);
try {
  const { size } = await file.stat();
  const source = {
    size,
    async read(from: number, length: number): Promise<Uint8Array> {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - from)));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return bytes.subarray(0, bytesRead);
    },
  };
  side.post({ imported: await readImport(source, name) });
} catch (error) {
  if (!(error instanceof ImportRefusal)) throw error;
  side.post({ refusal: error.message });
} finally {
  await file.close();
}
