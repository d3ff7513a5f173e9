// Files of evaluations below the folders of runs: which may be one, and what one says. Only reads.
import { listFolder, type FolderFile } from '#features/runs/server/disk/folderFiles.ts';
import { Gone, readAt, showPath, withFile, type SafeRoot } from '#features/runs/server/disk/safeFile.ts';
import { ImportRefusal, type ImportedEvaluation } from '#features/evaluation/shared/imports/importedEvaluation.ts';
import { readImport } from '#features/evaluation/shared/imports/readImport.ts';

/** Names that the tools give. */
const OWN_NAMES = [
  // Inspect
  /\.eval$/,
  /^\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d.*\.json$/,
  // lm-eval
  /^samples_.+\.jsonl$/,
  /^results_\d{4}-\d\d-\d\dT.*\.json$/,
  /promptfoo.*\.(?:ya?ml|jsonl?)$/i,
];
/** Names that people give to promptfoo's results, and others to other files. */
const COMMON_NAMES = /^(?:results?|outputs?|(?:eval|evaluation)[-_]?results?)\.jsonl?$/i;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const hasOwnName = (path: string): boolean => OWN_NAMES.some((pattern) => pattern.test(nameOf(path)));

export const mayBeEvaluation = (path: string): boolean => hasOwnName(path) || COMMON_NAMES.test(nameOf(path));

const SAMPLES = /(^|\/)samples_.+_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl$/;
/** The results that lm-eval wrote together with samples; null: the file is none of its samples. */
const toResultsPath = (path: string): string | null =>
  SAMPLES.test(path) ? path.replace(SAMPLES, '$1results_$2.json') : null;

/** Those that may be evaluations, the newest first. */
export async function listEvaluationFiles(root: SafeRoot, ms: number): Promise<readonly FolderFile[]> {
  const files = (await listFolder(root, ms)).filter(({ path }) => mayBeEvaluation(path));
  const withSamples = new Set(files.map(({ path }) => toResultsPath(path)));
  return files.filter(({ path }) => !withSamples.has(path)).sort((a, b) => b.modifiedAt - a.modifiedAt);
}

const readAlone = (root: SafeRoot, path: string): Promise<ImportedEvaluation> =>
  withFile(root, path, (open) => {
    const { size } = open.stats;
    const read = (from: number, length: number): Promise<Uint8Array> =>
      readAt(open, from, Math.max(0, Math.min(length, size - from)));
    return readImport({ size, read }, showPath(nameOf(path)));
  });

/** Samples of lm-eval do not name their model, and the results beside them do. */
async function addModel(imported: ImportedEvaluation, root: SafeRoot, path: string): Promise<ImportedEvaluation> {
  const beside = imported.tool === 'lm-eval' ? toResultsPath(path) : null;
  const results = beside === null ? null : await readAlone(root, beside).catch(() => null);
  const [model] = results?.models ?? [];
  if (!results || model === undefined) return imported;
  const answers = imported.answers.map((answer) => ({ ...answer, model }));
  return { ...imported, toolVersion: results.toolVersion, madeAt: results.madeAt, models: [model], answers };
}

/** Throws ImportRefusal; Unreadable where it can't be opened or lies outside the root; Silence. */
export async function readFound(root: SafeRoot, path: string): Promise<ImportedEvaluation> {
  try {
    return await addModel(await readAlone(root, path), root, path);
  } catch (error) {
    throw error instanceof Gone ? new ImportRefusal(`${showPath(path)} is no longer there.`) : error;
  }
}

/** What a listing says of a file; null: it is none of an evaluation, and its name does not say that it is. */
export async function describeFound(root: SafeRoot, path: string): Promise<FoundSummary | null> {
  try {
    const { tool, name, models, rows, answers, madeAt } = await readFound(root, path);
    const problem =
      rows.length > 0 ? null : 'It has scores, but no rows. Have lm-eval write samples, too (--log_samples).';
    return {
      tool,
      name: name.slice(0, 200),
      models: models.slice(0, 20),
      rows: rows.length,
      answers: answers.length,
      madeAt,
      problem,
    };
  } catch (error) {
    return hasOwnName(path) ? { ...UNREAD, problem: toRefusal(error) } : null;
  }
}

/** Why a file can't be read, for people. */
export const toRefusal = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export interface FoundSummary extends Pick<ImportedEvaluation, 'madeAt' | 'models'> {
  /** null: not known. */
  readonly tool: ImportedEvaluation['tool'] | null;
  readonly name: string | null;
  readonly rows: number | null;
  readonly answers: number | null;
  /** Why it can't be imported. */
  readonly problem: string | null;
}

export const UNREAD: FoundSummary = {
  tool: null,
  name: null,
  models: [],
  rows: null,
  answers: null,
  madeAt: null,
  problem: null,
};
