// What a row teaches, which is all that its assistant says. Near copies have to teach the same. Pure.
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import { LANES, toSignature, type Taught } from './nearRows.ts';

/** From so many characters on, other words can say the same. A shorter answer can be a label: one word decides. */
const LONG = 200;
/** Answers for programs: one character decides. */
const FOR_PROGRAMS = /^\s*(?:[{[]|<tool_call>|```)/;

export const isForPrograms = (text: string): boolean => FOR_PROGRAMS.test(text);

const toFolded = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();

const signature = new Uint16Array(LANES);

/** The signature of a long free text is valid until the next call. */
export function toTaught({ messages }: ChatRow): Taught {
  let said = '';
  let isFree = true;
  for (const { role, content, tool_calls: calls } of messages) {
    if (role !== 'assistant') continue;
    if ((calls?.length ?? 0) > 0 || isForPrograms(content ?? '')) isFree = false;
    said += `${content ?? ''}\n`;
    for (const { function: called } of calls ?? []) said += `${called.name} ${called.arguments}\n`;
  }
  const isLong = isFree && said.length >= LONG && toSignature(said, signature);
  if (!isLong) return { key: toContentHash(toFolded(said)), signature: null };
  // Another number is another fact, however long the text around it.
  return { key: toContentHash(`free ${said.match(/\d+/g)?.join(' ') ?? ''}`), signature };
}
