import { expect, it } from 'vitest';
import { isFound, toActivityWords, toNodeId, toWho } from './activityWords.ts';

const ID = '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab';
const entry = {
  id: 1,
  at: '2026-11-23T10:00:00.000Z',
  who: 'ada',
  method: 'DELETE',
  route: '/api/v1/studio/nodes/{nodeId}',
  path: `/api/v1/studio/nodes/${ID.toUpperCase()}`,
  node: null,
};

it('says in words what was done, and by whom', () => {
  expect([toActivityWords(entry), toWho(entry)]).toEqual(['Deleted', 'ada']);
  expect(toWho({ ...entry, who: null })).toBe('Owner');
});

it.each(['/other/{id}', 'constructor', '__proto__'])('shows the route %s as it is', (route) => {
  expect(toActivityWords({ ...entry, route })).toBe(`DELETE ${route}`);
});

it('knows the node that the service names, else that of the path', () => {
  const node = { id: 'made', type: 'dataset', label: 'Tickets', project_id: 'p', is_deleted: false };
  expect(toNodeId({ ...entry, node })).toBe('made');
  expect(toNodeId(entry)).toBe(ID);
  expect(toNodeId({ ...entry, path: '/api/v1/studio/training/queue' })).toBeNull();
  expect(toNodeId({ ...entry, path: `/a/${ID}/table/7` })).toBe(ID);
});

it.each([
  ['', true],
  ['deleted ADA', true],
  ['tickets', true],
  ['6f0c2a1e', true],
  ['2026-11', true],
  ['deleted bea', false],
])('finds %j: %s', (search, found) => {
  expect(isFound(entry, 'Tickets', search)).toBe(found);
});
