import { expect, it } from 'vitest';
import type { ProjectNode } from '#core/contract/tree.ts';
import { listRunNodes } from './runNodes.ts';

it('lists the nodes of all folders with runs, and a folder that can not be read by itself', async () => {
  const run = { id: 'run', children: [] };
  const tree = { id: 'root', children: [{ id: 'dataset', children: [{ id: 'snapshot', children: [run] }] }] };
  const nodes = await listRunNodes({
    listProjects: async () => ['root', 'away'].map((id) => ({ id, name: id, created_at: '' })),
    findProject: async (id) => (id === 'root' ? (tree as unknown as ProjectNode) : null),
  });
  expect([...nodes]).toEqual(['root', 'dataset', 'snapshot', 'run', 'away']);
});
