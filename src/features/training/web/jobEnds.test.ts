import { expect, it } from 'vitest';
import { readProject, type TreeNode } from '#core/contract/projectReader.ts';
import { findJobEnds, toBadgedTitle, toJobStates } from './jobEnds.ts';

const node = (type: string, id: string, fields: object = {}) => ({ type, id, name: id, children: [], ...fields });

function project(status: string, runs: readonly string[]): TreeNode {
  const children = runs.map((run, at) => node('experiment', `e${at}`, { status: run, metadata: { id: `e${at}` } }));
  const job = node('finetuning-job', 'Round 3', { status, children, metadata: { id: 'Round 3', name: 'Round 3' } });
  const snapshot = node('snapshot', 's', { children: [job], metadata: { id: 's' } });
  const dataset = node('dataset', 'd', { children: [snapshot], metadata: { id: 'd' } });
  const read = readProject({ project: node('project', 'p', { children: [dataset], metadata: { id: 'p' } }) });
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

it('a job that went on and has ended is told once, with how its runs went', () => {
  const before = toJobStates(project('processing', ['running', 'queued', 'queued']));
  const after = project('completed', ['succeeded', 'succeeded', 'failed']);
  const [end, ...others] = findJobEnds(before, after);
  expect(end?.text).toMatch(/ has ended: 2 runs done, 1 failed\.$/);
  expect(end?.outcome).toBe('good');
  expect(others).toEqual([]);
  expect(findJobEnds(toJobStates(after), after)).toEqual([]);
});

it('while one run goes on, the job does', () => {
  const before = toJobStates(project('processing', ['running', 'queued']));
  expect(findJobEnds(before, project('processing', ['succeeded', 'running']))).toEqual([]);
});

it('a job that the page sees for the first time has not just ended; one without a model is no success', () => {
  expect(findJobEnds(new Map(), project('completed', ['succeeded']))).toEqual([]);
  const before = toJobStates(project('processing', ['running', 'running']));
  const [end] = findJobEnds(before, project('failed', ['failed', 'stopped']));
  expect(end).toMatchObject({ outcome: 'bad' });
  expect(end?.text).toContain('1 failed, 1 stopped');
  const [cancelled] = findJobEnds(before, project('stopped', ['stopped', 'stopped']));
  expect(cancelled).toMatchObject({ outcome: 'stopped' });
  expect(cancelled?.text).toMatch(/ has ended: 2 stopped\.$/);
});

it('the badge of the title is changed, not added again', () => {
  expect(toBadgedTitle('A · Model Studio', 1)).toBe('(1) A · Model Studio');
  expect(toBadgedTitle('(1) A · Model Studio', 2)).toBe('(2) A · Model Studio');
  expect(toBadgedTitle('(2) A · Model Studio', 0)).toBe('A · Model Studio');
});
