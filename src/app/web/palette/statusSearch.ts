// Statuses as search words: "failed" finds the nodes that failed, "failed lora" those of them that have the other words.
// Pure.
import type { TreeIndex } from '#features/projects/web/index/treeIndex.ts';
import type { PaletteQuery } from './paletteRank.ts';

/** Shorter words begin too many statuses. */
const SHORTEST = 3;

export interface StatusQuery {
  /** Statuses of the tree that a word names. */
  readonly statuses: readonly string[];
  /** The other words. */
  readonly rest: readonly string[];
}

const isNamed = (status: string, word: string): boolean =>
  status.toLowerCase() === word || (word.length >= SHORTEST && status.toLowerCase().startsWith(word));

/** null: no word names a status of the tree. A word that does not name one is for the other texts of a node. */
export function parseStatusQuery({ words }: PaletteQuery, index: TreeIndex): StatusQuery | null {
  const { names } = index.statuses;
  const word = words.find((each) => names.some((name) => isNamed(name, each)));
  if (word === undefined) return null;
  return {
    statuses: names.filter((name) => isNamed(name, word)),
    rest: words.filter((each) => each !== word),
  };
}

/** Whether the node at a place has one of the statuses. */
export function toStatusTest(index: TreeIndex, { statuses }: StatusQuery): (at: number) => boolean {
  const { names, codes } = index.statuses;
  const wanted = new Set(statuses.map((status) => names.indexOf(status) + 1));
  return (at) => wanted.has(codes[at] ?? 0);
}

/** "failed", "succeeded or running": statuses as a person reads them. */
export const toStatusText = ({ statuses }: StatusQuery): string => statuses.join(' or ');
