import { expect, it } from 'vitest';
import { findCompared } from './findCompared.ts';
import { TEST_PROJECT, toTestNode } from './project.fixture.ts';

it('finds experiments with the nodes above them, and names snapshots', () => {
  const { experiments, snapshots } = findCompared(
    TEST_PROJECT,
    new Set(['e2', 'e9', 'nowhere', 's1']),
    new Set(['s1', 'e1', 'gone']),
  );
  expect([...experiments.keys()]).toEqual(['e2', 'e9']);
  const placed = experiments.get('e2');
  expect([placed?.dataset?.id, placed?.snapshot?.id, placed?.job?.id]).toEqual(['d2', 's2', 'j2']);
  expect(experiments.get('e9')).toMatchObject({ dataset: null, snapshot: null, job: null });
  expect([...snapshots]).toEqual([['s1', 'Tickets › Snapshot 1']]);
});

it('takes the first of two nodes with one id', () => {
  const twice = toTestNode('project', 'p', 'P', [
    toTestNode('experiment', 'e', 'first'),
    toTestNode('experiment', 'e', 'second'),
  ]);
  expect(findCompared(twice, new Set(['e']), new Set()).experiments.get('e')?.node.label).toBe('first');
});

it('stops at the last wanted node', () => {
  const seen: string[] = [];
  const watched = toTestNode('project', 'p', 'P', [
    toTestNode('experiment', 'e', 'E'),
    toTestNode('dataset', 'd', 'D'),
  ]);
  const after = new Proxy(watched.children[1] ?? watched, {
    get: (node, name) => (seen.push(String(name)), Reflect.get(node, name) as unknown),
  });
  findCompared({ ...watched, children: [...watched.children.slice(0, 1), after] }, new Set(['e']), new Set());
  expect(seen).toEqual([]);
});
