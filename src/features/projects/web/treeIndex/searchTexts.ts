// The search texts of nodes, one per place of an index. 100,000 of them take longer than a frame, so they are built in
// slices. A later index reuses those of unchanged nodes.
import { nodeLabel, nodeTags, statusCause, type TreeNode } from '#core/contract/projectReader.ts';
import { toStateWord } from '#core/contract/statuses.ts';
import { hasWord, toSearchWords } from '#ui/kit/searchWords.ts';
import type { TreeIndex } from './treeIndex.ts';

const textField = (node: TreeNode, name: string): string => {
  const value = node.metadata[name];
  return typeof value === 'string' ? value : '';
};

/** The searchable texts of a node besides its label. */
function searchFields(node: TreeNode): readonly string[] {
  const fields = [node.id, textField(node, 'model_id'), textField(node, 'base_model_id')];
  // Most nodes have none of them, and their texts stay as short as they can be.
  const cause = statusCause(node);
  const state = cause === null ? '' : toStateWord(node.status ?? '', cause);
  const words = [...nodeTags(node), ...['own_label', 'note', 'failure'].map((name) => textField(node, name)), state];
  return [...fields, ...words.filter((word) => word !== '')];
}

/** "label\nid\nmodel id\nbase model\ntags, own label" in lower case: the label ends at the first line break. */
function toSearchText(node: TreeNode): string {
  return `${nodeLabel(node).replaceAll('\n', ' ')}\n${searchFields(node).join('\n')}`.toLowerCase();
}

const made = new WeakMap<TreeIndex, string[]>();
/** The newest complete texts. The next answer of the same project reuses them. */
let latest: { readonly index: TreeIndex; readonly texts: readonly string[] } | null = null;

/** All texts, if most nodes come from `old`. Nodes keep their order, so a shift finds the old place of most nodes. */
function reuseTexts(index: TreeIndex, old: { readonly index: TreeIndex; readonly texts: readonly string[] }): string[] {
  let shift = 0;
  return index.nodes.map((node, at) => {
    if (old.index.nodes[at + shift] !== node) {
      const place = old.index.placeOf.get(node.id);
      if (place === undefined) return toSearchText(node);
      shift = place - at;
      if (old.index.nodes[place] !== node) return toSearchText(node);
    }
    return old.texts[at + shift] ?? toSearchText(node);
  });
}

function textsOf(index: TreeIndex): string[] {
  const known = made.get(index);
  if (known) return known;
  const isSameProject = latest !== null && latest.index.nodes[0]?.id === index.nodes[0]?.id;
  const texts = isSameProject && latest ? reuseTexts(index, latest) : [];
  made.set(index, texts);
  if (isSameProject) latest = { index, texts };
  return texts;
}

/** Builds up to `count` further texts. Returns true when none is missing. */
export function makeSearchTexts(index: TreeIndex, count: number): boolean {
  const texts = textsOf(index);
  const { nodes } = index;
  const end = Math.min(nodes.length, texts.length + count);
  for (let at = texts.length; at < end; at += 1) {
    const node = nodes[at];
    if (node) texts.push(toSearchText(node));
  }
  if (texts.length < nodes.length) return false;
  latest = { index, texts };
  return true;
}

/** All texts. Missing ones are built at once. */
export function searchTexts(index: TreeIndex): readonly string[] {
  makeSearchTexts(index, Infinity);
  return textsOf(index);
}

/** Explains a hit that its label does not explain: the field that contains a word which the label lacks. */
export function explainHit(node: TreeNode, words: readonly string[]): string | null {
  const label = nodeLabel(node).toLowerCase();
  const missing = toSearchWords(words.filter((word) => !label.includes(word)));
  if (missing.length === 0) return null;
  // A field has no label, so its text begins with the second line.
  return searchFields(node).find((field) => missing.some((word) => hasWord(`\n${field.toLowerCase()}`, word))) ?? null;
}
