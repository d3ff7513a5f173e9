// Searches the nodes of a tree for the command palette, in slices short enough for every key to be answered at once.
import { useEffect, useState } from 'react';
import { toStateWord } from '#core/contract/statuses.ts';
import { startSlices, TIMER_STEPS } from '#ui/timing/slices.ts';
import { makeSearchTexts, searchTexts } from '#features/projects/web/treeIndex/searchTexts.ts';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { rankRange, startRanking, toQuery, toRanked, type PaletteQuery, type Ranked } from './paletteRank.ts';

// Statuses as search words: "failed" finds the nodes that failed, "failed lora" those of them that have the other words.
// Pure.

/** Shorter words begin too many statuses. */
const SHORTEST = 3;

interface StatusQuery {
  /** Statuses of the tree that a word names. */
  readonly statuses: readonly string[];
  /** The other words. */
  readonly rest: readonly string[];
}

/** By its name in the API or by the word that people read. */
const isNamed = (status: string, word: string): boolean =>
  [status.toLowerCase(), toStateWord(status)].some(
    (name) => name === word || (word.length >= SHORTEST && name.startsWith(word)),
  );

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

/** "failed", "done or running": statuses as a person reads them. */
export const toStatusText = ({ statuses }: StatusQuery): string =>
  [...new Set(statuses.map((status) => toStateWord(status)))].join(' or ');

const SLICE = 12_000;
const TEXTS_SLICE = 4_000;
const NOTHING: Ranked = { places: [], best: Infinity, count: 0 };
const NONE: FoundNodes = { ranked: NOTHING, status: null };

export interface FoundNodes {
  /** By label, id and model. Places in the index. */
  readonly ranked: Ranked;
  /** By status; null: no word names one. */
  readonly status: { readonly query: StatusQuery; readonly ranked: Ranked } | null;
}

interface Found {
  readonly index: TreeIndex;
  readonly phrase: string;
  readonly nodes: FoundNodes;
}

interface NodeSearch {
  readonly index: TreeIndex | null;
  /** The last complete answer while the next is looked for. */
  readonly nodes: FoundNodes;
  readonly isSearching: boolean;
  /** The answer to what is typed now, whatever it takes. */
  readonly finish: () => FoundNodes;
}

function* toSteps(index: TreeIndex, query: PaletteQuery, most: number): Generator<undefined, FoundNodes> {
  const count = index.nodes.length;
  const ranking = startRanking(count);
  const statusQuery = parseStatusQuery(query, index);
  const byStatus = startRanking(count);
  const rest = toQuery(statusQuery?.rest ?? []);
  const hasStatus = statusQuery && toStatusTest(index, statusQuery);
  let at = 0;
  do {
    yield undefined;
    if (!makeSearchTexts(index, TEXTS_SLICE)) continue;
    rankRange(ranking, searchTexts(index), query, at, at + SLICE, most, index.parent);
    if (hasStatus) rankRange(byStatus, searchTexts(index), rest, at, at + SLICE, most, index.parent, hasStatus);
    at += SLICE;
  } while (at < count);
  return {
    ranked: toRanked(ranking, most),
    status: statusQuery && { query: statusQuery, ranked: toRanked(byStatus, most) },
  };
}

function searchAtOnce(index: TreeIndex, query: PaletteQuery, most: number): FoundNodes {
  const steps = toSteps(index, query, most);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

export function useNodeSearch(index: TreeIndex | null, query: PaletteQuery, most: number): NodeSearch {
  const [found, setFound] = useState<Found | null>(null);
  const { phrase } = query;
  const isWanted = index !== null && phrase !== '';
  const isSearching = isWanted && (found?.index !== index || found.phrase !== phrase);
  useEffect(() => {
    if (!isSearching || index === null) return undefined;
    return startSlices(toSteps(index, query, most), TIMER_STEPS, (nodes) => setFound({ index, phrase, nodes }));
  }, [isSearching, index, query, phrase, most]);
  if (!isWanted) return { index, nodes: NONE, isSearching: false, finish: () => NONE };
  return {
    index: found?.index ?? index,
    nodes: found?.nodes ?? NONE,
    isSearching,
    finish: () => (isSearching ? searchAtOnce(index, query, most) : (found?.nodes ?? NONE)),
  };
}
