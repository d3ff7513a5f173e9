// People contract words, forget capitals and full stops, and mistype.
import type { Draw } from './draw.ts';

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(I) am\b/g, "$1'm"],
  [/\b(I|[Ww]e|[Yy]ou|[Tt]hey) have (?=been|paid|bought|tried|moved|not|lost)/g, "$1've "],
  [/\b([Ww]e|[Yy]ou|[Tt]hey) are\b/g, "$1're"],
  [/\b([Ii]t|[Tt]hat|[Tt]here|[Ww]here|[Ww]hat) is\b/g, "$1's"],
  [/\b(do|does|did|is|was|has|have|would|could|should) not\b/g, "$1n't"],
  [/\b(Do|Does|Did|Is|Was|Has) not\b/g, "$1n't"],
  [/\b(c|C)an ?not\b/g, "$1an't"],
  [/\b(w|W)ill not\b/g, "$1on't"],
  [/\b(I|[Ww]e) would\b/g, "$1'd"],
];

const CONTRACTED = 0.4;
const MISTYPED = 0.25;
const LOWER = 0.12;
const BARE = 0.1;

/** Two letters of a long word change places, or one is missing. */
function mistype(draw: Draw, text: string, kept: readonly string[]): string {
  const words = text.split(' ');
  const at = draw.number(0, words.length - 1);
  const word = words[at] ?? '';
  if (!/^[a-z]{5,}$/.test(word) || kept.some((part) => part.includes(word))) return text;
  const from = draw.number(1, word.length - 3);
  const pair = word.slice(from, from + 2);
  words[at] =
    word.slice(0, from) + (draw.chance(0.5) ? pair.slice(1) + pair.slice(0, 1) : pair.slice(1)) + word.slice(from + 2);
  return words.join(' ');
}

/** A text as people might type it. What is in `kept` stays as it is. */
export function roughen(draw: Draw, text: string, kept: readonly string[] = []): string {
  let rough = text;
  if (draw.chance(CONTRACTED)) for (const [from, to] of CONTRACTIONS) rough = rough.replace(from, to);
  if (draw.chance(MISTYPED)) rough = mistype(draw, rough, kept);
  if (draw.chance(LOWER)) {
    rough = rough.toLowerCase();
    for (const part of kept) rough = rough.replaceAll(part.toLowerCase(), part);
  }
  return draw.chance(BARE) ? rough.replace(/[.!?]$/, '') : rough;
}
