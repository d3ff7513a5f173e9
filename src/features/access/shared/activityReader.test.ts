import { expect, it } from 'vitest';
import { readActivity } from './activityReader.ts';

const ENTRY = {
  id: 7,
  at: '2026-11-23T10:00:00.000Z',
  who: 'ada',
  method: 'PUT',
  route: '/a/{id}',
  path: '/a/1',
  node: null,
};
const NODE = { id: 'n1', type: 'dataset', label: 'Tickets', project_id: 'p1', is_deleted: false };

it('reads a page', () => {
  const page = { entries: [ENTRY, { ...ENTRY, id: 6, who: null, node: NODE }], next: 6 };
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

it('takes no node that could not be opened', () => {
  const { project_id: _project, ...homeless } = NODE;
  const read = readActivity({
    entries: [
      { ...ENTRY, node: homeless },
      { ...ENTRY, node: 'n1' },
      { ...ENTRY, node: { ...NODE, label: 7 } },
    ],
  });
  expect(read.ok && read.value.entries.map(({ node }) => node)).toEqual([null, null, { ...NODE, label: 'n1' }]);
});

it.each([null, [], {}, { entries: {} }])('refuses %j', (body) => {
  expect(readActivity(body)).toMatchObject({ ok: false });
});
