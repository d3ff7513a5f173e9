// Which nodes a filter text finds, and what of the tree is kept around them. Pure.
import { nodeLabel, type TreeNode } from '../contract/projectReader';
import type { TreeIndex } from './treeIndex';

export interface TreeHits {
  readonly words: readonly string[];
  /** 1 where the node itself has every word. */
  readonly isHit: Uint8Array;
  /** Hits in the node's subtree, itself included; 0: the node is not shown. */
  readonly hitsWithin: Int32Array;
  readonly count: number;
}

/** The lower-case words of a filter text. Every one of them must occur. */
export function parseWords(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

const textField = (node: TreeNode, name: string): string => {
  const value = node.metadata[name];
  return typeof value === 'string' ? value : '';
};

/** The texts of a node that can be searched, besides its label. */
export function searchFields(node: TreeNode): readonly string[] {
  return [node.status ?? '', node.id, textField(node, 'model_id'), textField(node, 'base_model_id')];
}

const searchTexts = new WeakMap<TreeIndex, readonly string[]>();

/** Lower-case texts, made at the first filter of a tree: most visits never filter. */
function searchTextsOf(index: TreeIndex): readonly string[] {
  const known = searchTexts.get(index);
  if (known) return known;
  const texts = index.nodes.map((node) => `${nodeLabel(node)}\n${searchFields(node).join('\n')}`.toLowerCase());
  searchTexts.set(index, texts);
  return texts;
}

/** Null when the text has no words: nothing is filtered. */
export function findHits(index: TreeIndex, text: string): TreeHits | null {
  const words = parseWords(text);
  if (words.length === 0) return null;
  const texts = searchTextsOf(index);
  const isHit = new Uint8Array(texts.length);
  const hitsWithin = new Int32Array(texts.length);
  let count = 0;
  // Backwards, a node's subtree is complete before the node hands its sum to its parent.
  for (let at = texts.length - 1; at >= 0; at -= 1) {
    const haystack = texts[at] ?? '';
    if (words.every((word) => haystack.includes(word))) {
      isHit[at] = 1;
      count += 1;
      hitsWithin[at] = (hitsWithin[at] ?? 0) + 1;
    }
    const above = index.parent[at] ?? -1;
    if (above >= 0) hitsWithin[above] = (hitsWithin[above] ?? 0) + (hitsWithin[at] ?? 0);
  }
  return { words, isHit, hitsWithin, count };
}

/** Where a hit isn't explained by its label: the field that holds a word which the label lacks. */
export function explainHit(node: TreeNode, words: readonly string[]): string | null {
  const label = nodeLabel(node).toLowerCase();
  const missing = words.filter((word) => !label.includes(word));
  if (missing.length === 0) return null;
  return searchFields(node).find((field) => missing.some((word) => field.toLowerCase().includes(word))) ?? null;
}
