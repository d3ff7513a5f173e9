import { describe, expect, it } from 'vitest';
import type { Note } from '#features/notes/shared/notes.ts';
import { projectResponseSchema, type ProjectNode } from '#core/contract/tree.ts';
import { openNotedTrees, toNamedProjects, toNotedTree } from './notedTrees.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const note = (node: number, about: Partial<Note> = {}): Note => ({
  node_id: id(node),
  name: null,
  tags: [],
  is_starred: false,
  is_archived: false,
  text: '',
  revision: 1,
  updated_at: '2026-11-20T00:00:00.000Z',
  ...about,
});

const experiment = (number: number) => ({
  id: id(number),
  type: 'experiment' as const,
  label: `Run ${number}`,
  status: 'succeeded' as const,
  children: [],
  metadata: { id: id(number), experiment_number: number, base_model_id: 'base' },
});
const snapshot = (number: number, run: number) => ({
  id: id(number),
  type: 'snapshot' as const,
  label: 'Snapshot',
  metadata: { id: id(number) },
  children: [
    {
      id: id(number + 1),
      type: 'finetuning-job' as const,
      label: 'Job',
      status: 'completed' as const,
      metadata: { id: id(number + 1), reasoning: false },
      children: [experiment(run)],
    },
  ],
});
const project: ProjectNode = {
  id: id(1),
  type: 'project',
  name: 'Outputs',
  children: [
    {
      id: id(2),
      type: 'dataset',
      label: 'Data',
      status: 'completed',
      metadata: { id: id(2) },
      children: [snapshot(10, 100), snapshot(20, 200)],
    },
  ],
};
const runOf = (tree: ProjectNode, place: number) => tree.children[0]?.children[place]?.children[0]?.children[0];

describe('a tree with notes', () => {
  it('has the names, tags, stars and archives of its nodes, and is a tree of the contract', () => {
    const tree = toNotedTree([
      note(100, { name: 'Best', tags: ['keep'], is_starred: true, text: 'x'.repeat(2000) }),
      note(1, { name: 'Mine' }),
    ])(project);
    expect(tree.name).toBe('Mine');
    expect(runOf(tree, 0)).toMatchObject({
      label: 'Best',
      metadata: { own_label: 'Run 100', tags: ['keep'], is_starred: true, note: 'x'.repeat(500) },
    });
    expect(projectResponseSchema.safeParse({ project: tree }).success).toBe(true);
  });

  it('keeps every part without notes as the same object', () => {
    const add = toNotedTree([note(100, { is_archived: true })]);
    const tree = add(project);
    expect(tree.children[0]?.children[1]).toBe(project.children[0]?.children[1]);
    expect(tree.children[0]?.children[0]).not.toBe(project.children[0]?.children[0]);
    expect(add(project)).toBe(tree);
    expect(toNotedTree([note(999)])(project)).toBe(project);
  });
});

describe('the notes of trees', () => {
  it('are read again after they were changed, or after a while', async () => {
    let [now, reads] = [0, 0];
    let stands = [note(100, { name: 'One' })];
    const trees = openNotedTrees(
      async () => {
        reads += 1;
        return stands;
      },
      () => now,
    );
    const label = async () => runOf(await trees.addNotes(project), 0)?.label;
    expect(await label()).toBe('One');
    stands = [note(100, { name: 'Two', revision: 2 })];
    expect(await label()).toBe('One');
    trees.forget();
    expect(await label()).toBe('Two');
    expect(reads).toBe(2);
    now = 2_000;
    stands = [];
    expect(await label()).toBe('Run 100');
  });

  it('are those after a change for all who ask then, also while the list before it is still on its way', async () => {
    const answers: ((notes: readonly Note[]) => void)[] = [];
    const trees = openNotedTrees(
      () => new Promise((resolve) => answers.push(resolve)),
      () => 0,
    );
    const label = async () => runOf(await trees.addNotes(project), 0)?.label;
    const before = label();
    trees.forget();
    // Two requests at once, of which the first has the notes read.
    const after = [trees.addNames([]), label(), label()];
    answers[1]?.([note(100, { name: 'Two', revision: 2 })]);
    expect(await Promise.all(after)).toEqual([[], 'Two', 'Two']);
    answers[0]?.([note(100, { name: 'One' })]);
    await before;
    expect(await label()).toBe('Two');
    expect(answers).toHaveLength(2);
  });

  it('name the projects of the list as they name their trees', async () => {
    const projects = [
      { id: id(1), name: 'Outputs', created_at: '2026-11-20T00:00:00.000Z' },
      { id: id(3), name: 'Other', created_at: '2026-11-20T00:00:00.000Z' },
    ];
    const trees = openNotedTrees(
      async () => [note(1, { name: 'Mine' }), note(3, { tags: ['keep'] })],
      () => 0,
    );
    expect((await trees.addNames(projects)).map(({ name }) => name)).toEqual(['Mine', 'Other']);
    expect((await trees.addNotes(project)).name).toBe('Mine');
    expect(toNamedProjects(projects, [])).toEqual(projects);
  });

  it('stay while the database is away', async () => {
    let now = 0;
    let isAway = false;
    const trees = openNotedTrees(
      async () => (isAway ? Promise.reject(new Error('away')) : [note(100, { name: 'One' })]),
      () => now,
    );
    await trees.addNotes(project);
    [now, isAway] = [10_000, true];
    expect(runOf(await trees.addNotes(project), 0)?.label).toBe('One');
  });
});
