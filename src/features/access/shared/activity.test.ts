import { expect, it } from 'vitest';
import { ACCESS_ROUTES, ACTIVITY_LIMITS, activityPath, lastIdOf } from './activity.ts';

it('pages are not longer than the service gives', () => {
  const { entries, entriesDefault } = ACTIVITY_LIMITS;
  expect([entriesDefault > 0, entriesDefault <= entries]).toEqual([true, true]);
  expect(activityPath(entries, 1)).toMatch(/limit=500&before=1$/);
});

it('asks for a page by the id before which it begins', () => {
  expect(activityPath(50, null)).toBe('/api/v1/studio/activity?limit=50');
  expect(activityPath(50, 120)).toBe(`${ACCESS_ROUTES.activity}?limit=50&before=120`);
});

it.each([
  ['/api/v1/studio/training/queue', null],
  ['/api/v1/studio/nodes/6F0C2A1E-0D5B-4C37-9A51-1F2E3D4C91AB', '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab'],
  [
    '/a/6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab/b/7f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab/table/7',
    '7f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab',
  ],
  ['/a/6f0c2a1e-0d5b-4c37-9a51', null],
])('a path is about what it names last: %s', (path, id) => {
  expect(lastIdOf(path)).toBe(id);
});
