import { expect, it } from 'vitest';
import { toOpenApi } from './openapi.ts';
import { createJobSchema } from '#features/training/shared/createJob.ts';
import { toTrainingPaths } from './openapiTraining.ts';
import { TRAINING_ROUTES } from '#features/training/shared/trainingRoutes.ts';

type Json = Record<string, unknown>;

it('describes every route, and is part of the document', () => {
  expect(Object.keys(toTrainingPaths()).toSorted()).toEqual(Object.values(TRAINING_ROUTES).toSorted());
  expect(toOpenApi('1')['paths']).toMatchObject(toTrainingPaths());
});

it('has the limits of a job', () => {
  const { schemas } = toOpenApi('1')['components'] as { schemas: Record<string, { properties: Json }> };
  expect(Object.keys(schemas['NewJob']?.properties ?? {})).toEqual(Object.keys(createJobSchema.shape));
  expect(JSON.stringify(schemas['NewJob'])).toContain('"maximum":128');
  expect(JSON.stringify(schemas['NewJob'])).toContain('"maxItems":200');
});

it('names each operation once', () => {
  const operations = Object.values(toTrainingPaths()).flatMap((methods) => Object.values(methods as Json)) as {
    operationId: string;
  }[];
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
});

interface Operation {
  readonly requestBody?: unknown;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
const operations = Object.entries(toTrainingPaths()).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({ path, method, operation })),
);

it.each(operations)('$method $path says how it can fail', ({ path, operation }) => {
  const statuses = Object.keys(operation.responses);
  expect(statuses).toContain('401');
  // A body may be too large, or no JSON; an id may be of nothing.
  if (operation.requestBody !== undefined) expect(statuses).toEqual(expect.arrayContaining(['400', '413', '415']));
  if (path.includes('{')) expect(statuses).toEqual(expect.arrayContaining(['400', '404']));
});

it('takes a key where a job is made, so that a lost answer makes no second one', () => {
  const withKey = operations.filter(({ operation }) =>
    operation.parameters?.some(({ name }) => name === 'Idempotency-Key'),
  );
  expect(withKey.map(({ path }) => path)).toEqual([TRAINING_ROUTES.createJob, TRAINING_ROUTES.duplicateJob]);
});

it('a file of a model is bytes, under a name that is no UUID', () => {
  const found = operations.find(({ path }) => path === TRAINING_ROUTES.takenFile)?.operation;
  expect(found?.parameters).toMatchObject([
    { name: 'experimentId', schema: { format: 'uuid' } },
    { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
  ]);
  expect(found?.responses).toMatchObject({
    '200': { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
    '404': {},
  });
});
