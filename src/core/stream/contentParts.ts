// Reads a message's `content`: a text, or a list of parts as Mistral's reasoning models and some gateways send it.
// ASSUMED: parts `{type:"text",text}`, `{type:"thinking",thinking}` (Mistral), `{type:"reasoning"}`,
// `{type:"refusal"}`.
import { isObject, textOr } from '#core/contract/readJson.ts';

export interface ReadContent {
  readonly text: string;
  readonly reasoning: string;
}

/** Parts nest: Mistral's `thinking` is itself a list of text parts. Deeper parts are skipped. */
const MAX_DEPTH = 4;

const NOTHING: ReadContent = { text: '', reasoning: '' };
const TEXT_TYPES: ReadonlySet<unknown> = new Set([undefined, 'text', 'output_text']);
const REASONING_TYPES: ReadonlySet<unknown> = new Set(['thinking', 'reasoning', 'reasoning_text']);

/** All text of a value, from all its parts. */
function joinText(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (depth > MAX_DEPTH) return '';
  if (Array.isArray(value)) return value.map((part: unknown) => joinText(part, depth + 1)).join('');
  return isObject(value) ? textOr(value['text'], '') : '';
}

function readPart(part: unknown): ReadContent {
  if (typeof part === 'string') return { text: part, reasoning: '' };
  if (!isObject(part)) return NOTHING;
  const type = part['type'];
  if (TEXT_TYPES.has(type)) return { text: textOr(part['text'], ''), reasoning: '' };
  if (type === 'refusal') return { text: textOr(part['refusal'], ''), reasoning: '' };
  if (!REASONING_TYPES.has(type)) return NOTHING;
  const reasoning = joinText(part['thinking'], 0) || joinText(part['reasoning'], 0) || joinText(part['text'], 0);
  return { text: '', reasoning };
}

/** Skips pictures, references and unknown parts: they hold no text. */
export function readContent(content: unknown): ReadContent {
  if (typeof content === 'string') return { text: content, reasoning: '' };
  if (!Array.isArray(content)) return NOTHING;
  let text = '';
  let reasoning = '';
  for (const part of content as readonly unknown[]) {
    const read = readPart(part);
    text += read.text;
    reasoning += read.reasoning;
  }
  return { text, reasoning };
}
