// Rows for DPO and KTO as tokens: pairs of answers, or single ones with a label. Of an answer all is learnt, of what comes
// before it nothing.
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toAnswerChats } from '#core/rows/preferenceRows.ts';
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

function toComparison(
  row: ChatRow,
  place: number,
  objective: PreferenceObjective,
  reader: RowReader,
): Comparison | string {
  const all = toAnswerChats(row);
  if (all.length === 0 || (objective === 'dpo' && all.length < 2)) return MISFITS[objective];
  const answers: ComparedAnswer[] = [];
  let isCut = false;
  for (const { chat, isWanted } of all) {
    const encoded = encodeRow(chat, reader);
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
