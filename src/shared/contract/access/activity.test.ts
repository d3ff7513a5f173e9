import { expect, it } from 'vitest';
import { ACTIVITY_LIMITS, activityPath, ACCESS_ROUTES } from './activity.ts';

it('pages are not longer than the service gives', () => {
  const { entries, entriesDefault } = ACTIVITY_LIMITS;
  expect([entriesDefault > 0, entriesDefault <= entries]).toEqual([true, true]);
  expect(activityPath(entries, 1)).toMatch(/limit=500&before=1$/);
});

it('asks for a page by the id before which it begins', () => {
  expect(activityPath(50, null)).toBe('/api/v1/studio/activity?limit=50');
  expect(activityPath(50, 120)).toBe(`${ACCESS_ROUTES.activity}?limit=50&before=120`);
});
