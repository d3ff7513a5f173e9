// The endpoints of runs that other trainers left in folders: the folders themselves, one run, and curves.
import { curveRequestSchema, newRunRootSchema, runRootChangeSchema } from '#features/runs/shared/runs.ts';
import { completionQuestionSchema, toCompletionQuestion } from '#features/runs/shared/completions.ts';
import { ROUTES } from '#core/contract/routes.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import { sendTagged } from '#service/http/etag.ts';
import { HttpProblem } from '#service/http/problem.ts';
import { sendJson, signalOf, uuidParam, type Route } from '#service/http/route.ts';
import { readBody, readQuery } from '#service/http/parsedBody.ts';

/** A path of 4,096 characters, each written as two escapes. */
const ROOT_BYTES = 64 * 1024;
/** A thousand ids and a hundred names. */
const CURVES_BYTES = 1024 * 1024;

const toNotFound = (kind: 'root' | 'run', id: string): HttpProblem =>
  new HttpProblem(
    404,
    kind === 'root'
      ? `There is no folder of runs with the id ${id}. Reload the list of folders.`
      : `There is no run ${id}. Its folder may have been moved away or deleted.`,
    { param: `${kind}Id`, code: `${kind}_not_found` },
  );

export function toRunsRoutes(runs: Runs): readonly Route[] {
  return [
    {
      method: 'GET',
      path: ROUTES.runRoots,
      handle: async (context) =>
        sendTagged(JSON.stringify({ roots: await runs.listRoots() }), context.req.header('If-None-Match')),
    },
    {
      method: 'POST',
      path: ROUTES.runRoots,
      async handle(context) {
        const { path } = await readBody(context, newRunRootSchema, ROOT_BYTES);
        const isOwner = context.get('who') === null;
        return sendJson(await runs.addRoot(path, isOwner ? 'anywhere' : 'given folders'), 201);
      },
    },
    {
      method: 'PUT',
      path: ROUTES.runRoot,
      async handle(context) {
        const id = uuidParam(context, 'rootId');
        const root = await runs.changeRoot(id, await readBody(context, runRootChangeSchema, ROOT_BYTES));
        if (root === null) throw toNotFound('root', id);
        return sendJson(root);
      },
    },
    {
      method: 'DELETE',
      path: ROUTES.runRoot,
      async handle(context) {
        const id = uuidParam(context, 'rootId');
        const result = await runs.removeRoot(id);
        if (result === null) throw toNotFound('root', id);
        if (result === 'from-flag') {
          throw new HttpProblem(
            409,
            'This folder was given with --runs, so it is shown until the studio is started without it.',
            { param: 'rootId', code: 'root_from_flag' },
          );
        }
        return new Response(null, { status: 204 });
      },
    },
    {
      method: 'GET',
      path: ROUTES.run,
      async handle(context) {
        const id = uuidParam(context, 'runId');
        const run = await runs.findRun(id);
        if (run === null) throw toNotFound('run', id);
        return sendTagged(JSON.stringify(run), context.req.header('If-None-Match'));
      },
    },
    {
      method: 'GET',
      path: ROUTES.completions,
      load: 'folder',
      async handle(context) {
        const id = uuidParam(context, 'runId');
        const question = toCompletionQuestion(readQuery(context, completionQuestionSchema));
        const answer = await runs.findCompletions(id, question);
        if (answer === null) throw toNotFound('run', id);
        switch (answer.kind) {
          case 'list':
            return sendTagged(JSON.stringify(answer.list), context.req.header('If-None-Match'));
          case 'no-step':
            throw new HttpProblem(
              404,
              question.step === null
                ? 'This run wrote no completions. TRL writes them with log_completions.'
                : `This run wrote no completions at step ${question.step}. Choose one of its steps.`,
              { param: 'step', code: 'step_not_found' },
            );
          case 'unreadable':
            throw new HttpProblem(422, answer.reason, { code: 'file_not_readable' });
          default: {
            const missing: never = answer;
            return missing;
          }
        }
      },
    },
    {
      method: 'POST',
      path: ROUTES.curves,
      load: 'folder',
      changesNothing: true,
      async handle(context) {
        const list = await runs.findCurves(
          await readBody(context, curveRequestSchema, CURVES_BYTES),
          signalOf(context),
        );
        return list === null ? new Response(null, { status: 304 }) : sendJson(list);
      },
    },
  ];
}
