// The routes that import a file of an evaluation: one that is sent is stored while it arrives, one in a folder of runs read
// where it lies.
import { open, mkdtemp, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { takeRest, readUpload } from '#features/datasets/server/routes/upload.ts';
import { EVALUATIONS } from '#features/evaluation/shared/contract/evaluationEndpoints.ts';
import {
  importFieldsSchema,
  type EvaluationImport,
  type FoundEvaluationList,
  type ImportFields,
} from '#features/evaluation/shared/contract/evaluationImport.ts';
import { IMPORT_LIMITS, type ImportedEvaluation } from '#features/evaluation/shared/imports/importedEvaluation.ts';
import { toParsed, toRoute } from '#service/http/endpointRoute.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import { found, HttpProblem } from '#service/http/httpProblem.ts';
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

export function toImportRoutes(
  evaluations: Pick<Evaluations, 'readFile' | 'storeFile' | 'findFiles' | 'readFoundFile'>,
  runs: Pick<Runs, 'listRoots'>,
  store: <Value>(work: () => Promise<Value>) => Promise<Value>,
): readonly Route[] {
  let reading = 0;
  const inTurn = async <Value>(context: RouteContext, work: () => Promise<Value>): Promise<Value> => {
    if (reading >= MOST) {
      await takeRest(context.env);
      throw new HttpProblem(429, 'Other files are being imported. Try again in a moment.', {
        code: 'imports_busy',
        headers: { 'Retry-After': '5' },
      });
    }
    reading += 1;
    try {
      return await work();
    } finally {
      reading -= 1;
    }
  };
  async function storeRead(
    context: RouteContext,
    read: ImportedEvaluation,
    { project_id, name }: ImportFields,
  ): Promise<EvaluationImport> {
    const who = whoOf(context);
    const imported = toAllowed(read, who);
    const place = { projectId: project_id.toLowerCase(), name: name ?? null, who };
    const { evaluation, run } = await store(() => evaluations.storeFile(imported, place));
    context.set('node', evaluation.project_id);
    return { evaluation, run, tool: imported.tool, problems: [...imported.problems] };
  }
  // All who ask meanwhile get the same: a listing reads many files.
  let finding: Promise<FoundEvaluationList> | null = null;
  const find = async (): Promise<FoundEvaluationList> => {
    const there = (await runs.listRoots()).filter(({ state }) => state !== 'missing');
    return evaluations.findFiles(there.map(({ id, path }) => ({ id, path })));
  };
  return [
    toRoute(EVALUATIONS.importEvaluation, ({ context }) =>
      inTurn(context, async () => {
        const folder = await mkdtemp(join(tmpdir(), 'model-studio-evaluation-'));
        try {
          const { file, fields } = await storeUpload(context, folder);
          const given = Object.fromEntries([...fields].filter(([, value]) => value !== ''));
          const place = toParsed(importFieldsSchema, given);
          return await storeRead(context, await evaluations.readFile(file), place);
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }),
    ),
    toRoute(EVALUATIONS.listFoundEvaluations, () => {
      finding ??= find().finally(() => {
        finding = null;
      });
      return finding;
    }),
    toRoute(EVALUATIONS.importFoundEvaluation, ({ body: { root_id, path, ...place }, context }) =>
      inTurn(context, async () => {
        const id = root_id.toLowerCase();
        const root = found((await runs.listRoots()).find((root) => root.id === id) ?? null, 'folder', id, 'root_id');
        return storeRead(context, await evaluations.readFoundFile({ id, path: root.path }, path), place);
      }),
    ),
  ];
}
