// What an assistant may do with a studio: some endpoints, each as a tool of the Model Context Protocol. The rest is in the
// endpoints' records.
import * as z from 'zod/mini';
import { paramNames, type Endpoint } from '#core/contract/endpoint.ts';
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import { uuidSchema } from '#core/contract/schemas.ts';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import { EVALUATIONS } from '#features/evaluation/shared/contract/evaluationEndpoints.ts';
import { RUNS } from '#features/runs/shared/runEndpoints.ts';
import { TRAINING } from '#features/training/shared/trainingEndpoints.ts';
import type { Sent } from '#app/server/client/studioRequests.ts';
import { toTreePart, treePartShape } from './treePart.ts';

interface Part {
  readonly endpoint: Endpoint;
  /** Arguments beside those of the endpoint, and what they make of its answer. */
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly toPart?: (answer: unknown, given: JsonObject) => unknown;
}

const TOOLS: readonly Part[] = [
  { endpoint: STUDIO.listProjects },
  { endpoint: STUDIO.getProject, shape: treePartShape, toPart: toTreePart },
  { endpoint: STUDIO.getJob },
  { endpoint: STUDIO.getRecommendation },
  { endpoint: STUDIO.getRowErrors },
  { endpoint: STUDIO.listModels },
  { endpoint: RUNS.getRun },
  { endpoint: RUNS.getCurves },
  { endpoint: TRAINING.getTrainingQueue },
  { endpoint: TRAINING.getTrainingBases },
  { endpoint: TRAINING.getTrainingProgress },
  { endpoint: EVALUATIONS.listEvaluations },
  { endpoint: EVALUATIONS.getEvaluation },
  { endpoint: EVALUATIONS.listEvaluationRuns },
  { endpoint: EVALUATIONS.getEvaluationRun },
  { endpoint: EVALUATIONS.getEvaluationScores },
  { endpoint: EVALUATIONS.listEvaluationAnswers },
  { endpoint: EVALUATIONS.getEvaluationAnswer },
  { endpoint: TRAINING.createJob },
  { endpoint: EVALUATIONS.startEvaluationRun },
];

export interface StudioTool {
  /** Such as `get_project`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** false: a token that may only read can't use it. */
  readonly isReading: boolean;
  /** JSON Schema of its arguments. */
  readonly schema: JsonObject;
  readonly endpoint: Endpoint;
  /** What is sent for arguments that fit the schema. */
  toSent(given: JsonObject): Sent;
  toResult(answer: unknown, given: JsonObject): unknown;
}

const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function toTool({ endpoint, shape = {}, toPart = (answer) => answer }: Part): StudioTool {
  const { id, path, params = {}, query, body, title, about, says, method } = endpoint;
  const names = paramNames(path);
  const ofPath = names.map((name) => {
    const given = params[name];
    const described = uuidSchema.check(
      z.describe(typeof given === 'string' ? given : `UUID of the ${name.replace(/Id$/, '')}.`),
    );
    return [toSnakeCase(name), typeof given === 'object' ? given : described] as const;
  });
  const schema = z.strictObject({
    ...Object.fromEntries(ofPath),
    ...query?.shape,
    ...shape,
    ...(body && { body: Object.values(body)[0] ?? z.unknown() }),
  });
  const ofQuery = Object.keys(query?.shape ?? {});
  return {
    name: toSnakeCase(id),
    title,
    description: [`${title}.`, about, says].filter(Boolean).join(' '),
    isReading: method === 'GET' || endpoint.changesNothing === true,
    schema: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject,
    endpoint,
    toSent: (given) => ({
      params: Object.fromEntries(names.map((name) => [name, String(given[toSnakeCase(name)])])),
      query: Object.fromEntries(ofQuery.map((name) => [name, given[name] as string | number | undefined])),
      ...(body && { body: isObject(given['body']) ? given['body'] : {} }),
    }),
    toResult: toPart,
  };
}

/** The tools of a token with these rights. */
export const toStudioTools = (rights: 'read' | 'write' | 'own'): readonly StudioTool[] =>
  TOOLS.map(toTool).filter(({ isReading }) => isReading || rights !== 'read');
