import { expect, it } from 'vitest';
import { readActivity } from './activityReader.ts';

const ENTRY = { id: 7, at: '2026-11-23T10:00:00.000Z', who: 'ada', method: 'PUT', route: '/a/{id}', path: '/a/1' };

it('reads a page', () => {
  const page = { entries: [ENTRY, { ...ENTRY, id: 6, who: null }], next: 6 };
  expect(readActivity(page)).toEqual({ ok: true, value: page });
  expect(readActivity({ entries: [], next: null })).toEqual({ ok: true, value: { entries: [], next: null } });
});

it('leaves out what is no entry, and fills what is missing', () => {
  const { route: _route, ...rest } = ENTRY;
  expect(readActivity({ entries: [null, 'x', { id: 1 }, { ...rest, method: 5 }] })).toEqual({
    ok: true,
    value: { entries: [{ ...ENTRY, method: '', route: '/a/1' }], next: null },
  });
});

it.each([null, [], {}, { entries: {} }])('refuses %j', (body) => {
  expect(readActivity(body)).toMatchObject({ ok: false });
});
