// The first lines of a file that somebody wants to import, or elements of its array, read in the browser. The file is
// not loaded as a whole.
import { ARROW, HEAD_BYTES, isArrow, isParquet, PARQUET, type OtherFile } from '#core/rows/fileEncoding.ts';
import type { CutLines, FileLine } from '#features/datasets/shared/lineCutter.ts';
import type { LineProblem } from '#core/rows/lineText.ts';
import { findOtherText } from '#features/datasets/shared/otherText.ts';
import { openRowCutter } from '#features/datasets/shared/rowCutter.ts';
import { readTableApart, type TableQuestion, type TableReply } from './tableFile.ts';

export interface FirstLines {
  readonly lines: readonly FileLine[];
  readonly problems: readonly LineProblem[];
  /** Why nothing of the file can be read, and what to do; null: it can. */
  readonly refusal: OtherFile | null;
  /** The file is a JSON array, and its elements are the lines. */
  readonly isArray: boolean;
  /** These are all lines of the file. */
  readonly isWhole: boolean;
}

const CHOOSE = 'Choose one with a row on each line, or a JSON array of rows.';

/** Enough for a few hundred rows; read again and again until there is a line. */
const STEP_BYTES = 512 * 1024;
const ENOUGH_LINES = 20;
const TABLE_ROWS = 200;
/** Beyond the longest line there may be. */
const MOST_BYTES = 17 * 1024 * 1024;

/** The part of a File that is read. */
interface ReadableFile {
  readonly size: number;
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** What reads the first rows of a table. */
export type ReadTable = (question: TableQuestion) => Promise<TableReply>;

async function readFirstRows(file: Blob, kind: TableQuestion['kind'], readTable: ReadTable): Promise<FirstLines> {
  // One more says whether these are all.
  const found = await readTable({ file, kind, most: TABLE_ROWS + 1 });
  const empty: FirstLines = { lines: [], problems: [], refusal: null, isArray: false, isWhole: false };
  if ('problem' in found)
    return { ...empty, refusal: { ...(kind === 'Arrow' ? ARROW : PARQUET), reason: `${found.problem} Convert it.` } };
  const { texts } = found;
  const lines = texts.map((text, at) => ({ number: at + 1, text, offset: 0, bytes: text.length }));
  const refusal = texts.length > 0 ? null : { reason: `The table of the file is empty. ${CHOOSE}`, toCommand: null };
  return { ...empty, lines: lines.slice(0, TABLE_ROWS), refusal, isWhole: texts.length <= TABLE_ROWS };
}

/** Rejects where the browser can't read the file: it was moved, or is a folder. */
export async function readFirstLines(file: ReadableFile, readTable: ReadTable = readTableApart): Promise<FirstLines> {
  if (file.size === 0)
    return {
      lines: [],
      problems: [],
      refusal: { reason: `The file is empty. ${CHOOSE}`, toCommand: null },
      isArray: false,
      isWhole: true,
    };
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const kind = isParquet(head) ? 'Parquet' : isArrow(head) ? 'Arrow' : null;
  if (kind !== null) return readFirstRows(file as Blob, kind, readTable);
  const cutter = openRowCutter();
  const lines: FileLine[] = [];
  const problems: LineProblem[] = [];
  let refusal: OtherFile | null = null;
  const take = (cut: CutLines): void => {
    lines.push(...cut.lines);
    problems.push(...cut.problems);
    refusal ??= cut.refusal;
  };
  const most = Math.min(file.size, MOST_BYTES);
  let at = 0;
  const isEnough = (): boolean => at >= most || refusal !== null || lines.length + problems.length >= ENOUGH_LINES;
  while (!isEnough()) {
    const to = Math.min(most, at + STEP_BYTES);
    take(cutter.push(new Uint8Array(await file.slice(at, to).arrayBuffer())));
    at = to;
  }
  const isWhole = at >= file.size;
  // The last line or element of a part is cut off anywhere.
  if (isWhole) take(cutter.end());
  if (isWhole && lines.length + problems.length === 0)
    refusal ??= {
      reason: `${cutter.isArray ? 'The array of the file is empty' : 'The file has no line with text'}. ${CHOOSE}`,
      toCommand: null,
    };
  if (!cutter.isArray) refusal ??= findOtherText(lines.map(({ text }) => text));
  return { lines, problems, refusal, isArray: cutter.isArray, isWhole };
}
