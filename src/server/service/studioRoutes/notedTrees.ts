// Trees with what people noted of their nodes: names of their own, tags, stars, archived nodes.
import type { Note } from '#shared/contract/notes.ts';
import type {
  DatasetNode,
  ExperimentNode,
  JobNode,
  NodeNotes,
  ProjectNode,
  SnapshotNode,
} from '#shared/contract/tree.ts';

type BelowProject = DatasetNode | SnapshotNode | JobNode | ExperimentNode;

/** Notes of other processes on the same database are seen after this time. */
const FRESH_MS = 2_000;

function toNodeNotes({ tags, is_starred, is_archived }: Note, ownLabel: string | null): NodeNotes {
  return {
    ...(ownLabel !== null && { own_label: ownLabel }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(is_starred && { is_starred }),
    ...(is_archived && { is_archived }),
  };
}

/**
 * Adds notes to a tree. A node without notes in its subtree is returned as it is, and the same node always as the same
 * object, so that only what was noted is sent again.
 */
export function toNotedTree(notes: readonly Note[]): (project: ProjectNode) => ProjectNode {
  if (notes.length === 0) return (project) => project;
  const byNode = new Map(notes.map((note) => [note.node_id, note]));
  const results = new WeakMap<object, object>();
  function addTo<Node extends BelowProject>(node: Node): Node {
    const known = results.get(node) as Node | undefined;
    if (known) return known;
    const note = byNode.get(node.id);
    const below: readonly BelowProject[] = node.children;
    const children = below.map(addTo);
    const isSame = children.every((child, place) => child === below[place]);
    let result = isSame ? node : { ...node, children };
    if (note) {
      const ownLabel = note.name === null ? null : node.label;
      result = {
        ...result,
        label: note.name ?? node.label,
        metadata: { ...node.metadata, ...toNodeNotes(note, ownLabel) },
      };
    }
    results.set(node, result);
    return result;
  }
  return (project) => {
    const known = results.get(project) as ProjectNode | undefined;
    if (known) return known;
    const children = project.children.map(addTo);
    const name = byNode.get(project.id)?.name ?? project.name;
    const isSame = name === project.name && children.every((child, place) => child === project.children[place]);
    const result = isSame ? project : { ...project, name, children };
    results.set(project, result);
    return result;
  };
}

export interface NotedTrees {
  /** Adds the notes that stand now; those of the last answer while the database is away. */
  addNotes(project: ProjectNode): Promise<ProjectNode>;
  /** The next tree is made with new notes. */
  forget(): void;
}

/** Reads the notes at most every two seconds. `now`: Unix milliseconds. */
export function openNotedTrees(listNotes: () => Promise<readonly Note[]>, now: () => number): NotedTrees {
  let addNotes = toNotedTree([]);
  let mark = '[]';
  let readAt = -Infinity;
  return {
    async addNotes(project) {
      if (now() - readAt >= FRESH_MS) {
        readAt = now();
        const notes = await listNotes().catch(() => null);
        const text = notes && JSON.stringify(notes.map(({ node_id, revision }) => [node_id, revision]));
        if (notes && text !== null && text !== mark) [addNotes, mark] = [toNotedTree(notes), text];
      }
      return addNotes(project);
    },
    forget() {
      readAt = -Infinity;
    },
  };
}
