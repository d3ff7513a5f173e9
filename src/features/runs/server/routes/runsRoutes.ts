// The endpoints of runs that other trainers left in folders: the folders themselves, one run, and curves.
import { toCompletionQuestion } from '#features/runs/shared/completions.ts';
import { RUNS } from '#features/runs/shared/runEndpoints.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { signalOf, type Route } from '#service/http/route.ts';

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
    toRoute(RUNS.listRunRoots, async () => ({ roots: await runs.listRoots() })),
    toRoute(RUNS.addRunRoot, async ({ body: { path }, context }) => {
      const isOwner = context.get('who') === null;
      return runs.addRoot(path, isOwner ? 'anywhere' : 'given folders');
    }),
    toRoute(RUNS.changeRunRoot, async ({ params: { rootId }, body }) => {
      const root = await runs.changeRoot(rootId, body);
      if (root === null) throw toNotFound('root', rootId);
      return root;
    }),
    toRoute(RUNS.removeRunRoot, async ({ params: { rootId } }) => {
      const result = await runs.removeRoot(rootId);
      if (result === null) throw toNotFound('root', rootId);
      if (result === 'from-flag')
        throw new HttpProblem(
          409,
          'This folder was given with --runs, so it is shown until the studio is started without it.',
          { param: 'rootId', code: 'root_from_flag' },
        );
    }),
    toRoute(RUNS.getRun, async ({ params: { runId } }) => {
      const run = await runs.findRun(runId);
      if (run === null) throw toNotFound('run', runId);
      return run;
    }),
    toRoute(RUNS.listCompletions, async ({ params: { runId }, query }) => {
      const question = toCompletionQuestion(query);
      const answer = await runs.findCompletions(runId, question);
      if (answer === null) throw toNotFound('run', runId);
      switch (answer.kind) {
        case 'list':
          return answer.list;
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
    }),
    toRoute(
      RUNS.getCurves,
      async ({ body, context }) =>
        (await runs.findCurves(body, signalOf(context))) ?? new Response(null, { status: 304 }),
    ),
  ];
}
