import { expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toRowDownloads, toRowFiles } from './rowFiles.ts';

const node = (type: string, id: string, label: string, metadata: object, ...children: TreeNode[]): TreeNode => ({
  id,
  type,
  label,
  metadata: { ...metadata },
  children,
});
const tree = node(
  'project',
  'p',
  'Desk',
  {},
  node(
    'dataset',
    'd1',
    'Ticket triage',
    {},
    node('snapshot', 's1', 'Snapshot 1', { training_count: 2200, validation_count: 200 }),
  ),
  node('dataset', 'd2', 'Orders', {}, node('snapshot', 's2', 'First', { training_count: 9, validation_count: 0 })),
);

it('files have the names that the service gives', () => {
  expect([...toRowFiles(tree, new Set(['s1', 's2', 'gone']))]).toEqual([
    [
      's1',
      {
        training: 'ticket-triage-snapshot-1.training.jsonl',
        validation: 'ticket-triage-snapshot-1.validation.jsonl',
      },
    ],
    ['s2', { training: 'orders-first.training.jsonl', validation: 'orders-first.validation.jsonl' }],
  ]);
});

it('downloads say how many rows, of which snapshot where there are several, and leave empty parts out', () => {
  const prefix = '/api/v1/studio/snapshots';
  expect(toRowDownloads(tree, new Set(['s1']))).toEqual([
    {
      label: 'Training rows (2,200)',
      path: `${prefix}/s1/rows?bucket=training`,
      fileName: 'ticket-triage-snapshot-1.training.jsonl',
    },
    {
      label: 'Validation rows (200)',
      path: `${prefix}/s1/rows?bucket=validation`,
      fileName: 'ticket-triage-snapshot-1.validation.jsonl',
    },
  ]);
  expect(toRowDownloads(tree, new Set(['s1', 's2'])).map(({ label }) => label)).toEqual([
    'Training rows of Ticket triage › Snapshot 1 (2,200)',
    'Validation rows of Ticket triage › Snapshot 1 (200)',
    'Training rows of Orders › First (9)',
  ]);
  expect(toRowDownloads(node('snapshot', 's3', 'Alone', {}), new Set(['s3'])).map(({ label }) => label)).toEqual([
    'Training rows',
    'Validation rows',
  ]);
});
