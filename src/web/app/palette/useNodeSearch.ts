// Searches the nodes of a tree for the command palette, in slices short enough for every key to be answered at once.
import { useEffect, useState } from 'react';
import { startSlices, TIMER_STEPS } from '#web/ui/timing/slices.ts';
import { makeSearchTexts, searchTexts } from '#web/tree/index/searchTexts.ts';
import type { TreeIndex } from '#web/tree/index/treeIndex.ts';
import { rankRange, rankTexts, startRanking, toRanked, type PaletteQuery, type Ranked } from './paletteRank.ts';

const SLICE = 12_000;
const TEXTS_SLICE = 4_000;
const NONE: Ranked = { places: [], best: Infinity, count: 0 };

interface Found {
  readonly index: TreeIndex;
  readonly phrase: string;
  readonly ranked: Ranked;
}

interface NodeSearch {
  readonly index: TreeIndex | null;
  /** Places in `index`. The last complete answer while the next is looked for. */
  readonly ranked: Ranked;
  readonly isSearching: boolean;
  /** The answer to what is typed now, whatever it takes. */
  readonly finish: () => Ranked;
}

function* toSteps(index: TreeIndex, query: PaletteQuery, most: number): Generator<undefined, Ranked> {
  const ranking = startRanking(index.nodes.length);
  let at = 0;
  do {
    yield undefined;
    if (!makeSearchTexts(index, TEXTS_SLICE)) continue;
    rankRange(ranking, searchTexts(index), query, at, at + SLICE, most, index.parent);
    at += SLICE;
  } while (at < index.nodes.length);
  return toRanked(ranking, most);
}

export function useNodeSearch(index: TreeIndex | null, query: PaletteQuery, most: number): NodeSearch {
  const [found, setFound] = useState<Found | null>(null);
  const { phrase } = query;
  const isWanted = index !== null && phrase !== '';
  const isSearching = isWanted && (found?.index !== index || found.phrase !== phrase);
  useEffect(() => {
    if (!isSearching || index === null) return undefined;
    return startSlices(toSteps(index, query, most), TIMER_STEPS, (ranked) => setFound({ index, phrase, ranked }));
  }, [isSearching, index, query, phrase, most]);
  if (!isWanted) return { index, ranked: NONE, isSearching: false, finish: () => NONE };
  return {
    index: found?.index ?? index,
    ranked: found?.ranked ?? NONE,
    isSearching,
    finish: () => (isSearching ? rankTexts(searchTexts(index), query, most, index.parent) : (found?.ranked ?? NONE)),
  };
}
