// Own functions that judge the answers of a page's grid.
import { FUNCTIONS } from '#features/evaluation/shared/functionEndpoints.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { whoOf, type Route } from '#service/http/route.ts';
import { checkMayUseFunctions, type FunctionRunner } from '#features/evaluation/server/functions/functionRunner.ts';

export const toFunctionRoutes = (runner: Pick<FunctionRunner, 'run'>): readonly Route[] => [
  toRoute(FUNCTIONS.runFunction, async ({ body: { source, answers }, context }) => {
    checkMayUseFunctions(whoOf(context));
    return { outcomes: [...(await runner.run(source, answers))] };
  }),
];
