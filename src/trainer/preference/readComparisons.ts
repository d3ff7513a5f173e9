// Rows for DPO and KTO as tokens: pairs of answers, or single ones with a label. Of an answer all is learnt, of what comes
// before it nothing.
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';
import { encodeRow, readUnits, type ReadRow, type ReadUnits, type RowReader } from '#trainer/text/readRows.ts';

export type PreferenceObjective = 'dpo' | 'kto';

export interface ComparedAnswer extends ReadRow {
  readonly isWanted: boolean;
}

/** What one value of the loss belongs to: the preferred answer and the other one for DPO; one answer for KTO. */
export interface Comparison {
  readonly answers: readonly ComparedAnswer[];
  readonly isCut: boolean;
}

const MISFITS: Readonly<Record<PreferenceObjective, string>> = {
  dpo: 'DPO learns pairs of answers, "chosen" and "rejected", and the row has none',
  kto: 'KTO learns answers with a label, or pairs of answers, and the row has neither',
};

const toRead = (message: RowMessage): RowMessage =>
  message.role === 'assistant' ? { ...message, weight: 0 } : message;

/** Each answer of a row with whether it is wanted. */
function toAnswers({
  chosen,
  rejected,
  completion,
  label,
}: ChatRow): readonly (readonly [readonly RowMessage[], boolean])[] {
  if (chosen !== undefined && rejected !== undefined)
    return [
      [chosen, true],
      [rejected, false],
    ];
  return completion !== undefined && label !== undefined ? [[completion, label]] : [];
}

function toComparison(
  row: ChatRow,
  place: number,
  objective: PreferenceObjective,
  reader: RowReader,
): Comparison | string {
  const all = toAnswers(row);
  if (all.length === 0 || (objective === 'dpo' && all.length < 2)) return MISFITS[objective];
  const answers: ComparedAnswer[] = [];
  let isCut = false;
  for (const [answer, isWanted] of all) {
    const messages = [...row.messages.map(toRead), ...answer];
    const encoded = encodeRow({ messages, ...(row.tools && { tools: row.tools }) }, reader);
    if (typeof encoded === 'string') return encoded;
    isCut ||= encoded.isCut;
    answers.push({ ...encoded, place, isWanted });
  }
  return { answers, isCut };
}

/** Reads JSONL text. A pair is one comparison for DPO, and two for KTO. */
export function readComparisons(
  text: string,
  objective: PreferenceObjective,
  reader: RowReader,
): ReadUnits<Comparison> {
  const read = readUnits(text, (row, place) => toComparison(row, place, objective, reader));
  if (objective === 'dpo') return read;
  const rows = read.rows.flatMap(({ answers, isCut }) => answers.map((answer) => ({ answers: [answer], isCut })));
  return { ...read, rows };
}
