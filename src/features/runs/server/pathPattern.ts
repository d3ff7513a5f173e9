// The part of a path that a pattern names: `sweep-*/{}/seed-*` gives the folder between. Linear in the path, whatever the
// pattern is: a person's pattern must not keep the thread busy.
import { baseName } from './paths.ts';

type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'any' | 'part' };

function toPieces(pattern: string): Piece[] {
  return pattern
    .split(/(\*+|\{\})/)
    .filter((text) => text !== '')
    .map((text): Piece => {
      if (text === '{}') return { kind: 'part' };
      return text.startsWith('*') ? { kind: 'any' } : { kind: 'text', text };
    });
}

/**
 * The text at `{}`, without a slash; without `{}` the text that the pattern matches. `*` is any text. The pattern may
 * begin and end anywhere in the path. null: it does not match.
 */
export function toPathPart(path: string, pattern: string): string | null {
  const pieces = toPieces(pattern);
  const first = pieces[0];
  let at = first?.kind === 'text' ? path.indexOf(first.text) : 0;
  if (at === -1 || !first) return null;
  const start = at;
  let part: string | null = null;
  let isOpen = false;
  let isPart = false;
  /** A text stands right before the part. */
  let isAnchored = false;
  const finish = (end: number): boolean => {
    if (!isPart) return true;
    isPart = false;
    // A slash ends the part: what follows it is up to a `*`.
    const between = path.slice(at, end);
    const found = isAnchored ? between : baseName(between);
    if (found.includes('/') || found === '') return false;
    part ??= found;
    return true;
  };
  for (const piece of pieces) {
    if (piece.kind !== 'text') {
      isOpen = true;
      isPart ||= piece.kind === 'part';
      if (piece.kind === 'any') isAnchored = false;
      continue;
    }
    const next = isOpen ? path.indexOf(piece.text, isPart ? at + 1 : at) : path.startsWith(piece.text, at) ? at : -1;
    if (next === -1 || !finish(next)) return null;
    at = next + piece.text.length;
    isOpen = false;
    isAnchored = true;
  }
  if (isPart) {
    const slash = path.indexOf('/', at);
    if (!finish(slash === -1 ? path.length : slash)) return null;
  }
  return pattern.includes('{}') ? part : path.slice(start, isOpen ? path.length : at);
}
