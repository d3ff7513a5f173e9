import { expect, it } from 'vitest';
import { toOpenApi } from '#shared/contract/openapi.ts';
import { createJobSchema } from './createJob.ts';
import { toTrainingPaths } from './openapiTraining.ts';
import { TRAINING_ROUTES } from './trainingRoutes.ts';

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
