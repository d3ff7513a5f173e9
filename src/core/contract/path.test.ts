import { expect, it } from 'vitest';
import { toPath } from './path.ts';

it('a path has its parameters in their order, encoded', () => {
  expect(toPath('/api/v1/public/projects', [])).toBe('/api/v1/public/projects');
  expect(toPath('/api/v1/studio/datasets/{datasetId}/table/{position}', ['a/b', 7])).toBe(
    '/api/v1/studio/datasets/a%2Fb/table/7',
  );
  expect(toPath('/api/v1/models/{modelId}', ['../x?y#$&'])).toBe('/api/v1/models/..%2Fx%3Fy%23%24%26');
});

it('what is empty in a query is left out, and 0 is not empty', () => {
  const query = { step: 0, search: '', sort: null, offset: undefined };
  expect(toPath('/api/v1/studio/runs/{runId}/completions', ['r'], query)).toBe(
    '/api/v1/studio/runs/r/completions?step=0',
  );
  expect(toPath('/api/v1/studio/activity', [], { limit: 50, before: 120 })).toBe(
    '/api/v1/studio/activity?limit=50&before=120',
  );
  expect(toPath('/api/v1/studio/datasets/{datasetId}/table', ['d'], { search: 'a b&c', tag: 'ü' })).toBe(
    '/api/v1/studio/datasets/d/table?search=a+b%26c&tag=%C3%BC',
  );
});
