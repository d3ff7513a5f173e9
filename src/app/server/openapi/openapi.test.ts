import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from './endpoints.ts';
import { toOpenApi } from './openapi.ts';
import { SAMPLING_PARAMETERS } from '#core/contract/samplingParameters.ts';

type Json = Record<string, unknown>;

const document = toOpenApi('1.2.3');

/** The value at a path of names, for reading deep into the document. */
function at(...names: string[]): unknown {
  return names.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as Json)[name] : undefined),
    document,
  );
}

/** Every `$ref` in the document. */
function refsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' ? [inner] : refsOf(inner),
  );
}

describe('the OpenAPI document', () => {
  it("is OpenAPI 3.1 with the product's version", () => {
    expect(document['openapi']).toBe('3.1.0');
    expect(at('info', 'version')).toBe('1.2.3');
  });

  it('has an operation for each endpoint', () => {
    const operations = Object.entries(at('paths') as Record<string, Json>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.toSorted()).toEqual(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  it('lists each tag that an operation has', () => {
    const tags = (document['tags'] as { name: string }[]).map(({ name }) => name);
    expect(tags.toSorted()).toEqual([...new Set(ENDPOINTS.map(({ tag }) => tag as string))].toSorted());
  });

  it('names every parameter of every path', () => {
    for (const [path, methods] of Object.entries(at('paths') as Record<string, Record<string, Json>>)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      for (const operation of Object.values(methods)) {
        const given = ((operation['parameters'] ?? []) as { name: string; in: string; required: boolean }[]).filter(
          (parameter) => parameter.in === 'path',
        );
        expect(given.map((parameter) => parameter.name)).toEqual(names);
        expect(given.every((parameter) => parameter.required)).toBe(true);
      }
    }
  });

  it('refers only to what it has', () => {
    const refs = refsOf(document);
    expect(refs.length).toBeGreaterThan(30);
    const names = new Set(Object.keys(at('components', 'schemas') as Json));
    for (const ref of refs) expect(names.has(ref.replace('#/components/schemas/', ''))).toBe(true);
  });

  it('says what the losses of a run are', () => {
    const properties = ['components', 'schemas', 'JobExperiment', 'properties'];
    expect(at(...properties, 'last_loss')).toMatchObject({
      type: 'number',
      description: expect.stringContaining('mean of the last 20 steps') as string,
    });
    expect(at(...properties, 'held_out_rows')).toMatchObject({
      type: 'integer',
      description: expect.stringContaining('held out of training') as string,
    });
  });

  it('shares schemas instead of repeating them', () => {
    expect(at('components', 'schemas', 'Project', 'properties', 'children', 'items')).toEqual({
      $ref: '#/components/schemas/Dataset',
    });
    expect(at('components', 'schemas', 'ChatRequest', 'properties', 'messages', 'items')).toEqual({
      $ref: '#/components/schemas/ChatMessage',
    });
  });

  it.each(Object.entries(SAMPLING_PARAMETERS))('%s has its bounds, default and meaning', (name, limit) => {
    const schema = at('components', 'schemas', 'ChatRequest', 'properties', name) as Json & { anyOf?: Json[] };
    // What one of ours is where it is not sent differs between engines.
    expect(schema['default']).toBe('isOwn' in limit ? undefined : limit.fallback);
    expect(schema['description']).toBe(limit.about);
    expect(schema.anyOf?.[0] ?? schema).toMatchObject({
      type: 'isInteger' in limit ? 'integer' : 'number',
      minimum: limit.min,
      maximum: limit.max,
    });
  });

  it('has the fields that SPEC 4.3 requires, and defaults that are not numbers', () => {
    expect(at('components', 'schemas', 'ChatRequest', 'required')).toEqual(['messages', 'model']);
    expect(at('components', 'schemas', 'ChatRequest', 'properties', 'stream')).toMatchObject({ default: false });
    expect(at('components', 'schemas', 'ChatRequest', 'properties', 'max_completion_tokens')).toMatchObject({
      default: null,
    });
  });

  it('tells what a job says of its experiments, and what of it is optional', () => {
    expect(
      at(
        'paths',
        '/api/v1/public/finetuning/{jobId}',
        'get',
        'responses',
        '200',
        'content',
        'application/json',
        'schema',
      ),
    ).toEqual({
      $ref: '#/components/schemas/Job',
    });
    expect(at('components', 'schemas', 'Job', 'properties', 'experiments', 'items')).toEqual({
      $ref: '#/components/schemas/JobExperiment',
    });
    expect(at('components', 'schemas', 'JobExperiment', 'properties', 'losses', 'items')).toEqual({
      $ref: '#/components/schemas/LossPoint',
    });
    const required = at('components', 'schemas', 'JobExperiment', 'required') as string[];
    expect(required.toSorted()).toEqual(['experiment_number', 'id', 'status']);
  });

  it('every closed operation can answer 401, every operation something good', () => {
    for (const methods of Object.values(at('paths') as Record<string, Record<string, Json>>)) {
      for (const operation of Object.values(methods)) {
        const answers = Object.keys(operation['responses'] as Json);
        // What can't be done yet says so, and nothing else.
        if (!answers.includes('501')) expect(answers.some((status) => status.startsWith('2'))).toBe(true);
        if (!Array.isArray(operation['security'])) expect(answers).toContain('401');
      }
    }
  });

  it.each([
    ['/api/v1/studio/snapshots/{snapshotId}/rows', ['429']],
    ['/api/v1/studio/datasets/{datasetId}/filtered-rows', ['429']],
    ['/api/v1/studio/experiments/{experimentId}/files/{name}', ['429']],
    ['/api/v1/studio/projects/{projectId}/export', ['429']],
    ['/api/v1/studio/notes', ['429', '504']],
    ['/api/examples/{modelId}', ['429', '504']],
    ['/api/v1/studio/runs/{runId}/completions', ['429', '504']],
    ['/api/v1/studio/snapshots/{snapshotId}/compare', ['429', '504']],
    ['/api/v1/studio/datasets/{datasetId}/table', ['429', '504']],
    ['/api/v1/studio/experiments/{experimentId}/take-away', ['429', '504']],
  ])('says of %s that too many at a time are refused, and that work has its time', (path, statuses) => {
    const answers = Object.keys(at('paths', path, 'get', 'responses') as Json);
    expect(answers).toEqual(expect.arrayContaining(statuses));
  });

  it('operations have ids of their own', () => {
    const ids = Object.values(at('paths') as Record<string, Record<string, Json>>).flatMap((methods) =>
      Object.values(methods).map((operation) => operation['operationId']),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is made anew each time: a reader who changes one changes no other', () => {
    (toOpenApi('1')['info'] as Json)['title'] = 'changed';
    expect((toOpenApi('1')['info'] as Json)['title']).toBe('Model Studio');
  });
});
