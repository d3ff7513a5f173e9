// The route that imports a file of an evaluation: stored while it arrives, then read in a thread.
import { open, mkdtemp, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { takeRest, readUpload } from '#features/datasets/server/routes/upload.ts';
import { EVALUATIONS } from '#features/evaluation/shared/contract/evaluationEndpoints.ts';
import { importFieldsSchema } from '#features/evaluation/shared/contract/evaluationImport.ts';
import { IMPORT_LIMITS, type ImportedEvaluation } from '#features/evaluation/shared/imports/importedEvaluation.ts';
import { toParsed, toRoute } from '#service/http/endpointRoute.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { whoOf, type Route, type RouteContext } from '#service/http/route.ts';
import type { Evaluations } from '#features/evaluation/server/openEvaluations.ts';
import type { EvaluationFile } from './evaluationFileEntry.ts';

/** Files that are read at a time: each may need a gigabyte. */
const MOST = 2;
const FALLBACK_NAME = 'the file';

/** Writes the file of a form below `folder`. Throws HttpProblem. */
async function storeUpload(
  context: RouteContext,
  folder: string,
): Promise<{ readonly file: EvaluationFile; readonly fields: ReadonlyMap<string, string> }> {
  const path = join(folder, 'file');
  let [handle, name, bytes]: [FileHandle | null, string, number] = [null, FALLBACK_NAME, 0];
  try {
    const fields = await readUpload(context.env.incoming, {
      async onFile(_fields, fileName) {
        name = basename(fileName ?? FALLBACK_NAME).slice(0, 200) || FALLBACK_NAME;
        handle = await open(path, 'wx', 0o600);
      },
      async onChunk(chunk) {
        bytes += chunk.length;
        if (bytes > IMPORT_LIMITS.archiveBytes)
          throw new HttpProblem(413, `The file has more than ${IMPORT_LIMITS.archiveBytes / 2 ** 30} GiB. Split it.`, {
            param: 'file',
            code: 'file_too_large',
          });
        await handle?.write(chunk);
      },
    });
    return { file: { path, name }, fields };
  } catch (error) {
    await takeRest(context.env);
    throw error;
  } finally {
    await (handle as FileHandle | null)?.close();
  }
}

/** Own functions are of the owner alone. */
function toAllowed(imported: ImportedEvaluation, who: string | null): ImportedEvaluation {
  const checks = imported.checks.filter(({ kind }) => who === null || kind !== 'function');
  const left = imported.checks.length - checks.length;
  if (left === 0) return imported;
  const problem = `${left} own ${left === 1 ? 'function was' : 'functions were'} left out: only the owner may have functions run. Import it with the owner’s token.`;
  return { ...imported, checks, problems: [...imported.problems, problem] };
}

export function toImportRoute(
  evaluations: Pick<Evaluations, 'readFile' | 'storeFile'>,
  store: <Value>(work: () => Promise<Value>) => Promise<Value>,
): Route {
  let reading = 0;
  return toRoute(EVALUATIONS.importEvaluation, async ({ context }) => {
    if (reading >= MOST) {
      await takeRest(context.env);
      throw new HttpProblem(429, 'Other files are being imported. Try again in a moment.', {
        code: 'imports_busy',
        headers: { 'Retry-After': '5' },
      });
    }
    reading += 1;
    const folder = await mkdtemp(join(tmpdir(), 'model-studio-evaluation-'));
    try {
      const { file, fields } = await storeUpload(context, folder);
      const given = Object.fromEntries([...fields].filter(([, value]) => value !== ''));
      const { project_id, name = null } = toParsed(importFieldsSchema, given);
      const who = whoOf(context);
      const imported = toAllowed(await evaluations.readFile(file), who);
      const place = { projectId: project_id.toLowerCase(), name, who };
      const { evaluation, run } = await store(() => evaluations.storeFile(imported, place));
      context.set('node', evaluation.project_id);
      return { evaluation, run, tool: imported.tool, problems: [...imported.problems] };
    } finally {
      reading -= 1;
      await rm(folder, { recursive: true, force: true });
    }
  });
}
