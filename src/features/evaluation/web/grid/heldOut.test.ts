import { expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { readRowTools } from '#features/evaluation/shared/rowTools.ts';
import { toHeldOutRows } from '#features/evaluation/shared/heldOutRows.ts';
import { findHeldOutSources, toCutText } from './heldOut.ts';

const toNode = (type: string, id: string, children: readonly TreeNode[] = [], metadata = {}): TreeNode => ({
  id,
  type,
  label: id.toUpperCase(),
  children,
  metadata,
});
const toSnapshot = (id: string, rows: number, model: string): TreeNode =>
  toNode('snapshot', id, [toNode('experiment', `run of ${id}`, [], { model_id: model })], { validation_count: rows });
const PROJECT = toNode('project', 'p', [
  toNode('dataset', 'd1', [toSnapshot('s1', 200, 'ft-1'), toSnapshot('s2', 0, 'ft-2')]),
  toNode('dataset', 'd2', [toSnapshot('s3', 160, 'ft-3'), toSnapshot('s4', 5, 'ft-4')]),
]);
const idsFor = (node: string | null, models: readonly string[] = []): readonly string[] =>
  findHeldOutSources(PROJECT, { node, models }).map(({ snapshotId }) => snapshotId);

it('lists the snapshots that have validation rows', () => {
  expect(findHeldOutSources(PROJECT, { node: null, models: [] })).toEqual([
    { snapshotId: 's1', label: 'D1 · S1', rows: 200 },
    { snapshotId: 's3', label: 'D2 · S3', rows: 160 },
    { snapshotId: 's4', label: 'D2 · S4', rows: 5 },
  ]);
  expect(findHeldOutSources(null, { node: null, models: [] })).toEqual([]);
});

it('the selected snapshot comes first, also when a run of it is selected; then that of the models', () => {
  expect(idsFor('s4', ['ft-3'])).toEqual(['s4', 's3', 's1']);
  expect(idsFor('run of s3')).toEqual(['s3', 's1', 's4']);
  expect(idsFor('d2', ['ft-4'])).toEqual(['s4', 's3', 's1']);
  expect(idsFor('p', ['ft-3'])).toEqual(['s3', 's1', 's4']);
});

it('says how many rows were left out', () => {
  expect([
    toCutText(10_000, { label: 'Tickets', rows: 100_000 }),
    toCutText(500, { label: 'Tickets', rows: null }),
  ]).toEqual([
    'Only the first 10,000 of 100,000 validation rows of Tickets were read: a grid takes no more.',
    'Only the first 500 validation rows of Tickets were read: a grid takes no more.',
  ]);
});

it('a row brings its system prompt, its tools and its expected answer', () => {
  const tools = [{ type: 'function', function: { name: 'cancel_order' } }];
  const call = '<tool_call>{"name":"cancel_order","arguments":{"order_id":"7"}}</tool_call>';
  const messages = [
    { role: 'system', content: 'Use the tools.' },
    { role: 'user', content: 'Cancel 7.' },
    { role: 'assistant', content: call },
  ];
  const { rows, problems } = toHeldOutRows([{ messages, tools }, { messages }].map((row) => JSON.stringify(row)));
  const [first, second] = rows;
  expect([problems, rows.length]).toEqual([[], 2]);
  expect(first?.messages?.map(({ role, content }) => `${role}: ${content}`)).toEqual([
    'system: Use the tools.',
    'user: Cancel 7.',
  ]);
  const expected = '[{"name":"cancel_order","arguments":{"order_id":"7"}}]';
  expect([first?.expected, second?.expected]).toEqual([expected, expected]);
  expect(first && readRowTools(first)).toEqual({ ok: true, value: tools });
});
