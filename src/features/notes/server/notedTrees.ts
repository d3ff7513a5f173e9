// Trees with what people noted of their nodes: names of their own, tags, stars, archived nodes.
import type { Note } from '#features/notes/shared/notes.ts';
import {
  MAX_NODE_TEXT,
  toTreeChange,
  type NodeNotes,
  type ProjectNode,
  type ProjectSummary,
} from '#core/contract/tree.ts';

/** Notes of other processes on the same database are seen after this time. */
const FRESH_MS = 2_000;

function toNodeNotes({ tags, is_starred, is_archived, text }: Note, ownLabel: string | null): NodeNotes {
  return {
    ...(ownLabel !== null && { own_label: ownLabel }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(is_starred && { is_starred }),
    ...(is_archived && { is_archived }),
    ...(text !== '' && { note: text.slice(0, MAX_NODE_TEXT) }),
  };
}

/** Adds notes to trees. Parts without notes stay the same objects. */
export function toNotedTree(notes: readonly Note[]): (project: ProjectNode) => ProjectNode {
  if (notes.length === 0) return (project) => project;
  const byNode = new Map(notes.map((note) => [note.node_id, note]));
  return toTreeChange((node) => {
    const note = byNode.get(node.id);
    if (!note) return node;
    if (node.type === 'project') return note.name === null ? node : { ...node, name: note.name };
    const ownLabel = note.name === null ? null : node.label;
    return {
      ...node,
      label: note.name ?? node.label,
      metadata: { ...node.metadata, ...toNodeNotes(note, ownLabel) },
    };
  });
}

/** Projects by the names that people gave them, as their trees have them. */
export function toNamedProjects(
  projects: readonly ProjectSummary[],
  notes: readonly Note[],
): readonly ProjectSummary[] {
  const given = new Map(notes.flatMap(({ node_id, name }) => (name === null ? [] : [[node_id, name] as const])));
  return projects.map((project) => ({ ...project, name: given.get(project.id) ?? project.name }));
}

export interface NotedTrees {
  /** Adds the notes that stand now; those of the last answer while the database is away. */
  addNotes(project: ProjectNode): Promise<ProjectNode>;
  /** The same for the list of projects, which would else show the old name until the tree is read. */
  addNames(projects: readonly ProjectSummary[]): Promise<readonly ProjectSummary[]>;
  /** The next tree is made with new notes. */
  forget(): void;
}

/** Reads the notes at most every two seconds. `now`: Unix milliseconds. */
export function openNotedTrees(listNotes: () => Promise<readonly Note[]>, now: () => number): NotedTrees {
  let known: readonly Note[] = [];
  let addNotes = toNotedTree(known);
  let mark = '[]';
  let readAt = -Infinity;
  let reading = Promise.resolve();
  let begun = 0;
  let applied = 0;
  async function read(number: number): Promise<void> {
    const notes = await listNotes().catch(() => null);
    // What was asked for earlier may come later, and does not know the change since.
    if (notes === null || number < applied) return;
    applied = number;
    const text = JSON.stringify(notes.map(({ node_id, revision }) => [node_id, revision]));
    if (text !== mark) [known, addNotes, mark] = [notes, toNotedTree(notes), text];
  }
  /** Callers at the same time wait for one reading: who did not would answer with the notes before a change. */
  const refresh = (): Promise<void> => {
    if (now() - readAt >= FRESH_MS) {
      readAt = now();
      begun += 1;
      reading = read(begun);
    }
    return reading;
  };
  return {
    async addNotes(project) {
      await refresh();
      return addNotes(project);
    },
    async addNames(projects) {
      await refresh();
      return toNamedProjects(projects, known);
    },
    forget() {
      readAt = -Infinity;
    },
  };
}
