// Splits a long text for reading: its first sentence, and its links. Pure.

export interface TextLead {
  readonly lead: string;
  /** True if the lead is the whole text. */
  readonly isWhole: boolean;
}

const LEAD_CHARACTERS = 240;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|no|fig|eq|al|doi|[A-Z])$/i;

/** End of the first sentence, exclusive; without an end, the text's length. */
function findSentenceEnd(text: string): number {
  const ends = /[.!?]["')\]]*(?=\s|$)|\n/g;
  for (let match = ends.exec(text); match; match = ends.exec(text)) {
    if (match[0] === '\n') return match.index;
    const isAbbreviation = match[0] === '.' && ABBREVIATION.test(text.slice(Math.max(0, match.index - 8), match.index));
    if (!isAbbreviation) return match.index + match[0].length;
  }
  return text.length;
}

/** The first sentence, or its beginning up to the end of a word if it is very long. */
export function toTextLead(whole: string): TextLead {
  const text = whole.trim();
  // Only the beginning can become the lead, so a huge text costs nothing.
  const start = text.slice(0, LEAD_CHARACTERS + 1);
  const end = findSentenceEnd(start);
  if (end <= LEAD_CHARACTERS) return { lead: text.slice(0, end), isWhole: end === text.length };
  const space = start.lastIndexOf(' ');
  const cut = start.slice(0, space > LEAD_CHARACTERS / 2 ? space : LEAD_CHARACTERS);
  return { lead: `${cut.replace(/\p{Surrogate}$/u, '').trimEnd()}…`, isWhole: false };
}

export interface TextPart {
  /** Offset in the text. */
  readonly at: number;
  readonly text: string;
  /** Target of the link, always http or https; null for plain text. */
  readonly href: string | null;
}

/** Splits a text at its web addresses and DOIs, so that they can be links. Joined, the parts are the text. */
export function toTextParts(text: string): readonly TextPart[] {
  const links = /https?:\/\/[^\s<>"'`]{1,2000}|\bdoi:?\s?(10\.\d{4,9}\/[^\s<>"'`]{1,200})/gi;
  const parts: TextPart[] = [];
  let at = 0;
  for (const match of text.matchAll(links)) {
    const shown = match[0].replace(/[.,;:!?)\]]+$/, '');
    const doi = match[1]?.replace(/[.,;:!?)\]]+$/, '');
    const href = doi === undefined ? shown : `https://doi.org/${doi}`;
    if (!URL.canParse(href)) continue;
    if (match.index > at) parts.push({ at, text: text.slice(at, match.index), href: null });
    parts.push({ at: match.index, text: shown, href });
    at = match.index + shown.length;
  }
  if (at < text.length || parts.length === 0) parts.push({ at, text: text.slice(at), href: null });
  return parts;
}
