import { describe, expect, it } from 'vitest';
import { toComponents } from './openapiComponents.ts';
import { DATA_ROUTES } from '#features/datasets/shared/contract/dataRoutes.ts';
import { toDataPaths } from './openapiData.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

const paths = toDataPaths() as Record<string, Record<string, Operation>>;
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

describe('the OpenAPI operations', () => {
  it('are there for each route', () => {
    expect(Object.keys(paths).toSorted()).toEqual(Object.values(DATA_ROUTES).toSorted());
  });

  it('have names of their own, and refer to schemas that are there', () => {
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const components = toComponents();
    const names = [...JSON.stringify(paths).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) expect(components).toHaveProperty(name);
  });

  it('name every parameter of their path', () => {
    for (const [path, methods] of Object.entries(paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      for (const { parameters = [] } of Object.values(methods))
        expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(names);
    }
  });

  it('say what they are, and need a token', () => {
    for (const { summary, responses } of operations) {
      expect(summary).not.toBe('');
      expect(responses).toHaveProperty('401');
    }
  });

  it('publish what a row may be asked for with', () => {
    const rows = paths[DATA_ROUTES.snapshotRows]?.['get'];
    const names = rows?.parameters?.filter((each) => each.in === 'query').map(({ name }) => name);
    expect(names).toEqual(['from', 'limit', 'search', 'finding', 'tag', 'side', 'mark']);
  });
});

describe('the upload', () => {
  const upload = paths[DATA_ROUTES.createDataset]?.['post'] as unknown as {
    readonly requestBody: { readonly content: Readonly<Record<string, unknown>> };
    readonly responses: Readonly<Record<string, unknown>>;
  };

  it('is a form, not JSON', () => {
    expect(Object.keys(upload.requestBody.content)).toEqual(['multipart/form-data']);
  });

  it('can be refused in each way that the service has', () => {
    const statuses = ['200', '400', '401', '404', '409', '413', '415', '429', '503'];
    expect(Object.keys(upload.responses).toSorted()).toEqual(statuses);
  });

  it('has the file among its fields', () => {
    expect(toComponents()['NewDataset']).toMatchObject({
      properties: { file: { type: 'string', format: 'binary' }, name: { type: 'string' }, bad_lines: {} },
    });
  });
});

describe('answers', () => {
  it.each([
    [DATA_ROUTES.createProject, 'post', 'ProjectMade'],
    [DATA_ROUTES.createDataset, 'post', 'DatasetMade'],
    [DATA_ROUTES.createSnapshot, 'post', 'SnapshotMade'],
    [DATA_ROUTES.addDatapoint, 'post', 'DatapointMade'],
    [DATA_ROUTES.dataset, 'get', 'DatasetRecord'],
    [DATA_ROUTES.datasetRows, 'get', 'RowPage'],
    [DATA_ROUTES.snapshotRow, 'get', 'WholeRow'],
    [DATA_ROUTES.datasetRowView, 'get', 'RowView'],
    [DATA_ROUTES.marks, 'post', 'MarksMade'],
  ])('of %s %s are %s', (route, method, name) => {
    expect(paths[route]?.[method]?.responses).toMatchObject({
      '200': { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
    });
  });

  it.each([
    [DATA_ROUTES.node, 'delete'],
    [DATA_ROUTES.restoreNode, 'post'],
    [DATA_ROUTES.cancelImport, 'post'],
  ])('of %s %s are empty', (route, method) => {
    expect(paths[route]?.[method]?.responses).toHaveProperty('204');
  });

  it('of bad lines are a file', () => {
    expect(paths[DATA_ROUTES.badLines]?.['get']?.responses).toMatchObject({
      '200': { content: { 'application/x-ndjson': {} } },
    });
  });

  it('say that a teacher is missing', () => {
    expect(paths[DATA_ROUTES.createSynthetic]?.['post']?.responses).toHaveProperty('501');
  });
});

it('answers no teacher with anything good', () => {
  const answers = Object.keys(paths[DATA_ROUTES.createSynthetic]?.['post']?.responses ?? {});
  expect(answers.filter((status) => status.startsWith('2'))).toEqual([]);
});

it('names the operations of data as one group', () => {
  const tags = operations.map((operation) => (operation as unknown as { tags: string[] }).tags);
  expect(new Set(tags.flat())).toEqual(new Set(['Data']));
  expect(tags.every((list) => list.length === 1)).toBe(true);
  expect(tags.length).toBe(Object.keys(DATA_ROUTES).length);
});
