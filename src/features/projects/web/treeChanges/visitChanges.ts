// The statuses of a project as a person last saw them, and what differs now. Pure: times are arguments.
import type { TreeNode } from '#core/contract/projectReader.ts';
import { isActiveStatus, toStatusMeaning, type StatusMeaning } from '#core/contract/statuses.ts';

/** Of a larger project only this many nodes are kept: first those that can still change by themselves. */
export const MAX_SEEN = 20_000;
/** A page that opens sooner after the last sign of the previous one goes on with its visit: a reload, a second tab. */
export const REOPEN_MS = 60_000;
/** A page that was hidden for longer begins a new visit when it is shown again. */
export const HIDDEN_MS = 30 * 60_000;

export interface SeenProject {
  /** When the project was last on the screen, in Unix ms. */
  readonly at: number;
  /** Status by node id; an empty text for a node without a status. */
  readonly statuses: ReadonlyMap<string, string>;
  /** Every node is in `statuses`. If not, an unknown id need not be a new node. */
  readonly isWhole: boolean;
}

export interface Visit {
  /** How the visit before this one ended; null: there was none in this browser. */
  readonly previous: SeenProject | null;
  /** What this visit has seen last. */
  readonly seen: SeenProject;
}

export interface VisitChange {
  readonly node: TreeNode;
  /** added: the node is new. */
  readonly kind: 'status' | 'added';
  /** null for a new node, and for a node that had no status. */
  readonly from: string | null;
  readonly to: string | null;
}

export interface ChangesSinceVisit {
  /** When the previous visit ended, in Unix ms. */
  readonly at: number;
  /** Failures first, then successes, then what runs, waits or was deleted; equals in tree order. */
  readonly changes: readonly VisitChange[];
  /** Number of nodes that are gone. Their names are not kept. */
  readonly removed: number;
}

/** In tree order, without recursion; a node whose id came before is left out. */
function toNodes(project: TreeNode): readonly TreeNode[] {
  const nodes = new Map<string, TreeNode>();
  const open: TreeNode[] = [project];
  for (let node = open.pop(); node; node = open.pop()) {
    if (!nodes.has(node.id)) nodes.set(node.id, node);
    for (let at = node.children.length - 1; at >= 0; at -= 1) {
      const child = node.children[at];
      if (child) open.push(child);
    }
  }
  return [...nodes.values()];
}

export function toSeenProject(project: TreeNode, at: number): SeenProject {
  const nodes = toNodes(project);
  const isWhole = nodes.length <= MAX_SEEN;
  const kept = isWhole
    ? nodes
    : [
        ...nodes.filter(({ status }) => isActiveStatus(status)),
        ...nodes.filter(({ status }) => !isActiveStatus(status)),
      ].slice(0, MAX_SEEN);
  return { at, isWhole, statuses: new Map(kept.map(({ id, status }) => [id, status ?? ''])) };
}

/** The visit now: the stored one goes on if it ended at most `gap` ms ago. */
export function toVisit(stored: Visit | null, seen: SeenProject, gap: number): Visit {
  if (stored === null) return { previous: null, seen };
  return { previous: seen.at - stored.seen.at <= gap ? stored.previous : stored.seen, seen };
}

const ORDER: Readonly<Record<StatusMeaning, number>> = {
  bad: 0,
  ended: 1,
  good: 2,
  working: 3,
  waiting: 4,
  gone: 5,
};
const toOrder = ({ to }: VisitChange): number => {
  const meaning = toStatusMeaning(to);
  return meaning === null ? 6 : ORDER[meaning];
};

/** null: there was no previous visit. */
export function toChangesSinceVisit(previous: SeenProject | null, project: TreeNode): ChangesSinceVisit | null {
  if (previous === null) return null;
  const { at, statuses, isWhole } = previous;
  const nodes = toNodes(project);
  const changes: VisitChange[] = [];
  let remaining = 0;
  for (const node of nodes) {
    const known = statuses.get(node.id);
    const status = node.status ?? '';
    if (known !== undefined) remaining += 1;
    if (known === status || (known === undefined && !isWhole)) continue;
    changes.push({
      node,
      kind: known === undefined ? 'added' : 'status',
      from: known === undefined || known === '' ? null : known,
      to: status === '' ? null : status,
    });
  }
  return { at, changes: changes.toSorted((a, b) => toOrder(a) - toOrder(b)), removed: statuses.size - remaining };
}
