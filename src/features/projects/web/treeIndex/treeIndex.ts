// The whole tree as flat arrays in pre-order: parents, levels, subtree sizes, positions among siblings, roll-ups. Built
// once per tree and shared by all users. Pure.
import { isArchived, isUnrecorded, type TreeNode } from '#core/contract/projectReader.ts';
import { isSucceeded, toStatusMeaning, type StatusMeaning } from '#core/contract/statuses.ts';
import { IdTable, type IdPlaces } from './idPlaces.ts';
import { StatusTableMaker, type StatusTable } from './statusTable.ts';

/** Counts of the experiments below a node, by status. `total` leaves out the deleted ones. */
export interface RollUp {
  readonly succeeded: number;
  readonly active: number;
  readonly failed: number;
  /** Experiments with a status that SPEC doesn't list. */
  readonly other: number;
  readonly total: number;
}

/** What people read for a part of a roll-up. */
export const ROLL_UP_WORDS: Readonly<Record<Exclude<keyof RollUp, 'total'>, string>> = {
  succeeded: 'done',
  active: 'running or queued',
  failed: 'failed',
  other: 'other',
};

/** A node is identified by its place: the project is 0, and the subtree of `at` is `at .. at + size[at] - 1`. */
export interface TreeIndex {
  readonly nodes: readonly TreeNode[];
  /** Unique even if a service repeats an id; the key of an id's first node is the id. */
  readonly keys: readonly string[];
  readonly parent: Int32Array;
  readonly level: Uint8Array;
  readonly size: Int32Array;
  /** 1-based position among its siblings. */
  readonly position: Int32Array;
  readonly siblings: Int32Array;
  readonly rollUps: readonly RollUp[];
  /** The place of the first node with an id. */
  readonly placeOf: IdPlaces;
  /** The places of keys that are no ids. */
  readonly repeats: ReadonlyMap<string, number>;
  readonly statuses: StatusTable;
  /** The places that people archived, without those below. The project can't be archived. */
  readonly archived: readonly number[];
  /** Without the place of runs that wrote down no data. */
  readonly datasetCount: number;
  /** Number of experiments that are being trained or deployed. */
  readonly runningCount: number;
  /** Number of experiments that wait for their turn. */
  readonly waitingCount: number;
}

type Counts = { -readonly [Name in keyof RollUp]: number };

const NONE: RollUp = Object.freeze({ succeeded: 0, active: 0, failed: 0, other: 0, total: 0 });

/** Nodes read between two chances to pause. */
const SLICE = 1_000;

/** The part of a roll-up that counts experiments of a status; null: none. */
const COUNTED_AS: Readonly<Record<StatusMeaning, Exclude<keyof RollUp, 'total'> | null>> = {
  waiting: 'active',
  working: 'active',
  good: 'succeeded',
  bad: 'failed',
  ended: 'other',
  gone: null,
};

function countExperiment(counts: Counts, status: string | undefined): void {
  const meaning = toStatusMeaning(status);
  const part = meaning === null ? 'other' : COUNTED_AS[meaning];
  if (part === null) return;
  counts.total += 1;
  // If a service says `completed` of an experiment, nobody knows whether there is a model.
  counts[part === 'succeeded' && !isSucceeded(status) ? 'other' : part] += 1;
}

function addCounts(counts: Counts, beneath: RollUp): void {
  counts.succeeded += beneath.succeeded;
  counts.active += beneath.active;
  counts.failed += beneath.failed;
  counts.other += beneath.other;
  counts.total += beneath.total;
}

// The reader limits the depth of a tree, so recursion is safe here.
function countNodes(root: TreeNode): number {
  let count = 1;
  for (const child of root.children) count += child.children.length === 0 ? 1 : countNodes(child);
  return count;
}

/** The keys of nodes, some of which share an id. Later nodes get `id#2`, `id#3`, if no other id or key is the same. */
function toKeys(nodes: readonly TreeNode[]): Pick<TreeIndex, 'keys' | 'placeOf' | 'repeats'> {
  const placeOf = new Map<string, number>();
  const repeats = new Map<string, number>();
  const numbers = new Map<string, number>();
  const keys = nodes.map(({ id }, at) => {
    const isFirst = !placeOf.has(id);
    if (isFirst) placeOf.set(id, at);
    if (isFirst && !repeats.has(id)) return id;
    let number = numbers.get(id) ?? 1;
    let key: string;
    do {
      number += 1;
      key = `${id}#${number}`;
    } while (placeOf.has(key) || repeats.has(key));
    numbers.set(id, number);
    repeats.set(key, at);
    return key;
  });
  return { keys, placeOf, repeats };
}

const NO_REPEATS: ReadonlyMap<string, number> = new Map();

interface Branch {
  readonly node: TreeNode;
  readonly at: number;
  next: number;
  readonly counts: Counts;
}

/** Walks the tree once, with a chance to pause every thousand nodes. */
function* walkTree(root: TreeNode): Generator<undefined, TreeIndex> {
  const count = countNodes(root);
  const nodes: TreeNode[] = [];
  const keys: string[] = [];
  const rollUps = Array<RollUp>(count).fill(NONE);
  const placeOf = new IdTable(count);
  const statuses = new StatusTableMaker(count);
  const parent = new Int32Array(count);
  const level = new Uint8Array(count);
  const size = new Int32Array(count).fill(1);
  const position = new Int32Array(count);
  const siblings = new Int32Array(count);
  const archived: number[] = [];
  let isUnique = true;
  let datasetCount = 0;
  let runningCount = 0;
  let waitingCount = 0;
  const open: Branch[] = [];

  const enter = (node: TreeNode, above: Branch | null): void => {
    const at = nodes.length;
    const { id, type, status } = node;
    nodes.push(node);
    keys.push(id);
    isUnique &&= placeOf.add(id);
    parent[at] = above ? above.at : -1;
    level[at] = open.length;
    position[at] = above ? above.next : 1;
    siblings[at] = above ? above.node.children.length : 1;
    if (status !== undefined) statuses.add(at, status);
    if (above && isArchived(node)) archived.push(at);
    if (type === 'dataset') datasetCount += isUnrecorded(node) ? 0 : 1;
    else if (type === 'experiment') {
      if (above) countExperiment(above.counts, status);
      const meaning = toStatusMeaning(status);
      if (meaning === 'waiting') waitingCount += 1;
      else if (meaning === 'working') runningCount += 1;
    }
    if (node.children.length > 0) open.push({ node, at, next: 0, counts: { ...NONE } });
  };

  enter(root, null);
  for (let branch = open.at(-1); branch; branch = open.at(-1)) {
    const child = branch.node.children[branch.next];
    if (child) {
      branch.next += 1;
      enter(child, branch);
      if (nodes.length % SLICE === 0) yield undefined;
      continue;
    }
    open.pop();
    size[branch.at] = nodes.length - branch.at;
    if (branch.counts.total > 0) rollUps[branch.at] = branch.counts;
    const above = open.at(-1);
    if (above) addCounts(above.counts, branch.counts);
  }
  const known = isUnique ? { keys, placeOf, repeats: NO_REPEATS } : toKeys(nodes);
  return {
    ...known,
    nodes,
    parent,
    level,
    size,
    position,
    siblings,
    rollUps,
    statuses,
    archived,
    datasetCount,
    runningCount,
    waitingCount,
  };
}

/** Walks the tree without pauses. */
export function toTreeIndex(root: TreeNode): TreeIndex {
  const steps = walkTree(root);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const built = new WeakMap<TreeNode, TreeIndex>();

/** The index of a tree object. Built at the first call, then cached as long as the tree lives. */
export function treeIndex(root: TreeNode): TreeIndex {
  const known = built.get(root);
  if (known) return known;
  const index = toTreeIndex(root);
  built.set(root, index);
  return index;
}

/** Builds and caches the index of a tree in steps, so that `treeIndex` returns at once. */
export function* prepareTreeIndex(root: TreeNode): Generator<undefined, void> {
  if (!built.has(root)) built.set(root, yield* walkTree(root));
}
