// Which nodes match a text and statuses, and which other nodes stay visible around them. Pure.
import { isKnownStatus, KNOWN_STATUSES, toStateWord } from '#core/contract/statuses.ts';
import {
  hasWord,
  isImplied,
  MOST_WORDS,
  toAllBits,
  toOwnBits,
  toSearchWords,
  type SearchWord,
} from '#ui/kit/searchWords.ts';
import { searchTexts } from './searchTexts.ts';
import type { TreeIndex } from './treeIndex.ts';

export interface TreeHits {
  readonly words: readonly string[];
  /** 1 where the node itself matches. */
  readonly isHit: Uint8Array;
  /** Number of hits in the node's subtree, itself included; 0: the node is hidden. */
  readonly hitsWithin: Int32Array;
  readonly count: number;
  /**
   * 1 where a node itself contains every one of several words, as "snapshot 1": everything below it can be shown. null:
   * nowhere.
   */
  readonly isWhole: Uint8Array | null;
}

export interface StatusCount {
  /** What people read. */
  readonly word: string;
  /** The statuses that it stands for. */
  readonly statuses: readonly string[];
  /** Number of runs with one of them among those that match the text. */
  readonly count: number;
}

/** The lower-case words of a filter text, each once. A hit needs every one of them. */
export function parseWords(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, MOST_WORDS);
}

interface Found {
  readonly words: readonly string[];
  /** 1 where every word is in the node's texts or its ancestors'. */
  readonly isWithin: Uint8Array;
}

const lastFound = new WeakMap<TreeIndex, Found>();

/** 0: no match; 1: every word is in the text or above it, but none in the text; 2: match. */
function searchLeaf(text: string, words: readonly SearchWord[], above: number): 0 | 1 | 2 {
  let isOwn = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word || (above & (1 << at)) !== 0) continue;
    if (!hasWord(text, word)) return 0;
    isOwn = true;
  }
  return isOwn || words.some((word) => hasWord(text, word)) ? 2 : 1;
}

/**
 * 1 for each place where every word is in the node's own texts or its ancestors', and at least one in its own; null:
 * there are no words.
 */
export function findText(index: TreeIndex, words: readonly string[]): Uint8Array | null {
  if (words.length === 0) return null;
  const texts = searchTexts(index);
  const { parent, size } = index;
  const searched = toSearchWords(words);
  const all = toAllBits(searched.length);
  const found = new Uint8Array(texts.length);
  const isWithin = new Uint8Array(texts.length);
  /** Bits of the words at a branch and its ancestors. */
  const bits = new Int32Array(texts.length);
  const last = lastFound.get(index);
  // A longer query can only match where the shorter one matched. Most nodes are leaves, which affect no other node.
  const among = last?.words.every((word) => isImplied(word, words)) === true ? last.isWithin : null;
  lastFound.set(index, { words, isWithin });
  for (let at = 0; at < texts.length; at += 1) {
    const above = at === 0 ? 0 : (bits[parent[at] ?? 0] ?? 0);
    if (size[at] === 1) {
      if (among !== null && among[at] !== 1) continue;
      const state = searchLeaf(texts[at] ?? '', searched, above);
      if (state > 0) isWithin[at] = 1;
      if (state === 2) found[at] = 1;
      continue;
    }
    const own = toOwnBits(texts[at] ?? '', searched);
    bits[at] = above | own;
    if (bits[at] !== all) continue;
    isWithin[at] = 1;
    if (own !== 0) found[at] = 1;
  }
  return found;
}

/** Limits the chips, in case a service uses a different status for each node. */
const MAX_OFFERED = 40;

function placeOfStatus(status: string): number {
  return isKnownStatus(status) ? KNOWN_STATUSES.indexOf(status) : KNOWN_STATUSES.length;
}

/** The statuses of the runs and the chosen ones, by their words, in SPEC's order; unknown ones follow, by name. */
export function countStatuses(
  index: TreeIndex,
  found: Uint8Array | null,
  chosen: readonly string[],
): readonly StatusCount[] {
  const { names, codes } = index.statuses;
  const counts = new Uint32Array(names.length + 1);
  const isOfRun = new Uint8Array(names.length + 1);
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 0 || index.nodes[at]?.type !== 'experiment') continue;
    isOfRun[code] = 1;
    if (found === null || found[at] === 1) counts[code] = (counts[code] ?? 0) + 1;
  }
  const toCount = (status: string) => counts[names.indexOf(status) + 1] ?? 0;
  const ofRuns = names.filter((_, place) => isOfRun[place + 1] === 1).slice(0, MAX_OFFERED);
  const ordered = [...new Set([...chosen, ...ofRuns])].toSorted(
    (a, b) => placeOfStatus(a) - placeOfStatus(b) || (a < b ? -1 : 1),
  );
  const byWord = new Map<string, StatusCount>();
  for (const status of ordered) {
    const word = toStateWord(status);
    const { statuses, count } = byWord.get(word) ?? { statuses: [], count: 0 };
    byWord.set(word, { word, statuses: [...statuses, status], count: count + toCount(status) });
  }
  return [...byWord.values()];
}

function findWhole(index: TreeIndex, words: readonly string[], isHit: Uint8Array): Uint8Array | null {
  if (words.length < 2) return null;
  const texts = searchTexts(index);
  const searched = toSearchWords(words);
  const all = toAllBits(searched.length);
  const isWhole = new Uint8Array(isHit.length);
  for (let at = 0; at < isHit.length; at += 1) {
    if (isHit[at] === 1 && (index.size[at] ?? 1) > 1 && toOwnBits(texts[at] ?? '', searched) === all) isWhole[at] = 1;
  }
  return isWhole;
}

/** The visible nodes: those that match the text and have one of the statuses, with their ancestors. */
export function toHits(
  index: TreeIndex,
  words: readonly string[],
  found: Uint8Array | null,
  statuses: readonly string[],
): TreeHits | null {
  if (found === null && statuses.length === 0) return null;
  const { names, codes } = index.statuses;
  const isChosen = new Uint8Array(names.length + 1);
  for (const status of statuses) if (names.includes(status)) isChosen[names.indexOf(status) + 1] = 1;
  const isHit = new Uint8Array(codes.length);
  const hitsWithin = new Int32Array(codes.length);
  let count = 0;
  // Backwards, because a node's subtree must be complete before its sum goes to its parent.
  for (let at = codes.length - 1; at >= 0; at -= 1) {
    if ((found === null || found[at] === 1) && (statuses.length === 0 || isChosen[codes[at] ?? 0] === 1)) {
      isHit[at] = 1;
      count += 1;
      hitsWithin[at] = (hitsWithin[at] ?? 0) + 1;
    }
    const above = index.parent[at] ?? -1;
    if (above >= 0) hitsWithin[above] = (hitsWithin[above] ?? 0) + (hitsWithin[at] ?? 0);
  }
  return { words, isHit, hitsWithin, count, isWhole: statuses.length === 0 ? findWhole(index, words, isHit) : null };
}
