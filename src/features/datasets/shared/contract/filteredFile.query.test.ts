// The query of a download of filtered rows, and what the reference says of it.
import { describe, expect, it } from 'vitest';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { DATA_ROUTES } from './dataRoutes.ts';
import { FILTERED_FORMS } from './filteredFile.ts';
import { toDataPaths } from '#app/server/openapi/openapiData.ts';
import { filteredQuerySchema, rowsQuerySchema } from './rows.ts';

describe('the query', () => {
  it('takes the filters of the table, and a form', () => {
    const { from: _from, limit: _limit, ...filters } = rowsQuerySchema.shape;
    expect(Object.keys(filteredQuerySchema.shape)).toEqual([...Object.keys(filters), 'form']);
  });

  it.each([
    {},
    { search: 'refund', side: 'training' },
    { tag: 'odd', mark: 'edited', form: 'original' },
    { finding: 'leak', form: 'chat' },
  ])('may be %j', (query) => {
    expect(filteredQuerySchema.parse(query)).toEqual(query);
  });

  it.each([
    { form: 'csv' },
    { side: 'test' },
    { mark: 'starred' },
    { finding: 'odd' },
    { from: '3' },
    { limit: '10' },
    { search: 'x'.repeat(DATA_LIMITS.search + 1) },
  ])('may not be %j', (query) => {
    expect(filteredQuerySchema.safeParse(query).success).toBe(false);
  });
});

it.each([DATA_ROUTES.datasetFiltered, DATA_ROUTES.snapshotFiltered])(
  '%s is described with all that it takes',
  (route) => {
    const paths = toDataPaths() as Record<
      string,
      { get: { parameters: { name: string; schema: { enum?: string[] } }[] } }
    >;
    const parameters = (paths[route]?.get.parameters ?? []).slice(1);
    expect(parameters.map(({ name }) => name)).toEqual(Object.keys(filteredQuerySchema.shape));
    expect(parameters.at(-1)?.schema.enum).toEqual(FILTERED_FORMS);
    expect(paths[route]?.get).toMatchObject({
      responses: { '200': { content: { 'application/x-ndjson': {} } }, '409': {} },
    });
  },
);
