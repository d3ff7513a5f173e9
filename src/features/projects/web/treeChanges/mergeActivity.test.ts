import { expect, it } from 'vitest';
import type { ActivityEntry as LogEntry } from '#features/access/shared/activity.ts';
import type { ActivityEntry } from './activityState.ts';
import { mergeActivity } from './mergeActivity.ts';

const AT = Date.parse('2026-11-28T10:00:00Z');

const toChange = (kind: ActivityEntry['kind'], id: string, seconds: number): ActivityEntry => ({
  kind,
  id,
  type: 'snapshot',
  label: id,
  path: '',
  from: null,
  to: null,
  beneath: 0,
  number: seconds,
  at: AT + seconds * 1000,
});
const toLog = (id: number, node: string | null, seconds: number, project = 'p'): LogEntry => ({
  id,
  at: new Date(AT + seconds * 1000).toISOString(),
  who: 'ann',
  method: 'POST',
  route: '/api/v1/public/snapshots/create',
  path: '/api/v1/public/snapshots/create',
  node: node === null ? null : { id: node, type: 'snapshot', label: node, project_id: project, is_deleted: false },
});

const read = (changes: readonly ActivityEntry[], log: readonly LogEntry[]) =>
  mergeActivity(changes, log, 'p').map(({ kind, entry }) => `${kind} ${entry.id}`);

it('what the page saw and what people did is one list, newest first', () => {
  expect(read([toChange('status', 'run', 20)], [toLog(2, 'other', 30), toLog(1, null, 10)])).toEqual([
    'log 2',
    'tree run',
    'log 1',
  ]);
});

it('a node that somebody made or deleted is told once, with who did it', () => {
  const changes = [toChange('added', 's', 5), toChange('status', 's', 4)];
  expect(read(changes, [toLog(1, 's', 1)])).toEqual(['tree s', 'log 1']);
  expect(read([toChange('added', 's', 500)], [toLog(1, 's', 1)])).toEqual(['tree s', 'log 1']);
  expect(read([toChange('removed', 's', 9)], [toLog(1, 't', 8)])).toEqual(['tree s', 'log 1']);
});

it('what was done in another project is not listed', () => {
  expect(read([], [toLog(1, 'x', 1, 'q')])).toEqual([]);
});
