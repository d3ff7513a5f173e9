// Bytes of a file, JSONL or a JSON array -> blocks of stored rows and bad lines. Pure but for the hash of the file;
// runs in a thread.
import { createHash } from 'node:crypto';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { BadLine } from '#features/datasets/shared/contract/datasets.ts';
import type { RowForm } from '#core/rows/chatRow.ts';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import { toRefusalText } from '#core/rows/fileEncoding.ts';
import { toTextLine, type CutLines, type FileLine, type PlainLine } from '#features/datasets/shared/lineCutter.ts';
import { toOneLine } from '#core/rows/lineText.ts';
import { toRowText } from '#core/rows/readRow.ts';
import { findOtherText } from '#features/datasets/shared/otherText.ts';
import { recogniseForm } from '#features/datasets/shared/recogniseForm.ts';
import { openPlainRowCutter, openRowCutter } from '#features/datasets/shared/rowCutter.ts';
import type { RowMapping } from '#core/rows/rowMapping.ts';
import { openBlockBuilder, type RowBlock } from '#features/datasets/server/rows/rowBlocks.ts';

export interface ImportOrder {
  /** null: found out from the first lines. */
  readonly form: RowForm | RowMapping | null;
  /** For a command that converts it; null: not known. */
  readonly fileName: string | null;
  /** Rows are left out once there is a bad line, because nothing will be kept. */
  readonly stopsAtBadLine: boolean;
}

/** Why nothing of a file can be kept. */
interface FileRefusal {
  readonly code:
    | 'empty_file'
    | 'no_rows'
    | 'not_utf8_lines'
    | 'not_json'
    | 'damaged_parquet'
    | 'damaged_arrow'
    | 'unknown_form'
    | 'too_many_rows';
  readonly message: string;
}

export interface FileResult {
  readonly refusal: FileRefusal | null;
  /** The name of the form; null before it is known. */
  readonly form: RowForm | 'mapped' | null;
  readonly rows: number;
  /** What rows are read from. */
  readonly unit: 'line' | 'element';
  readonly badCount: number;
  /** The first ones. */
  readonly badLines: readonly BadLine[];
  /** SHA-256 of the bytes. */
  readonly digest: string;
}

/** The form is decided by so many lines, or characters, or the end. */
const FIRST_LINES = 200;
const FIRST_TEXT = 1024 * 1024;

export interface FileRows {
  /** Blocks that are full now. */
  push(chunk: Uint8Array): readonly RowBlock[];
  /** Call once: the last block, and what was read. */
  end(): { readonly blocks: readonly RowBlock[]; readonly result: FileResult };
  /** Something makes it needless to go on. */
  readonly isRefused: boolean;
}

const refuse = (code: FileRefusal['code'], message: string): FileRefusal => ({ code, message });

const toUnknownForm = (columns: readonly string[]): FileRefusal =>
  refuse(
    'unknown_form',
    `The rows have none of the known forms (chat with "messages", ShareGPT, Alpaca, prompt and completion). Their columns ` +
      `are ${columns.slice(0, 10).join(', ') || 'not readable'}. Send a "mapping" that says which column holds what.`,
  );

export function openFileRows({ form: given, fileName, stopsAtBadLine }: ImportOrder): FileRows {
  // Plain lines are chat rows. Another form needs all of them as texts.
  const cutter = given === null || given === 'chat' ? openPlainRowCutter() : openRowCutter();
  const digest = createHash('sha256');
  const builder = openBlockBuilder();
  const badLines: BadLine[] = [];
  /** null: not decided yet. */
  let form: RowForm | RowMapping | null = null;
  let refusal: FileRefusal | null = null;
  let bytes = 0;
  let rows = 0;
  let badCount = 0;
  /** Lines before the form is known: texts, because plain ones are gone with their chunk. */
  let waiting: FileLine[] = [];
  let waitingText = 0;
  let blocks: RowBlock[] = [];

  function report(bad: BadLine): void {
    badCount += 1;
    if (badLines.length < DATA_LIMITS.badLinesKept) badLines.push(bad);
  }

  /** Counts a row. Returns whether it is kept. */
  function countRow(): boolean {
    rows += 1;
    if (rows > DATA_LIMITS.rows)
      refusal ??= refuse(
        'too_many_rows',
        `The file has more than ${DATA_LIMITS.rows.toLocaleString('en')} rows, which is the most that a dataset holds. Split it.`,
      );
    return !refusal && !(stopsAtBadLine && badCount > 0);
  }

  function keep(block: RowBlock | null): void {
    if (block) blocks.push(block);
  }

  function addText(line: FileLine, known: RowForm | RowMapping): void {
    const read = toRowText(line, known);
    if (!read.ok) return report(read.problem);
    if (!countRow()) return;
    const { text, isSame } = read;
    const original = isSame ? null : line.column === undefined ? line.text : toOneLine(line.text);
    keep(builder.add({ text, original, hash: toContentHash(text), bucket: null }));
  }

  function addLine(line: FileLine | PlainLine, known: RowForm | RowMapping): void {
    if ('text' in line) addText(line, known);
    else if (known !== 'chat') addText(toTextLine(line), known);
    else if (countRow()) keep(builder.addPlain(line.chunk, line.at, line.at + line.bytes));
  }

  function guessForm(texts: readonly string[]): RowForm | null {
    const guess = recogniseForm(texts);
    // Without any object each line says by itself what is wrong with it.
    const known = guess.form ?? (guess.objects === 0 ? 'chat' : null);
    if (known === null) refusal ??= toUnknownForm(guess.columns.map(({ name }) => JSON.stringify(name.slice(0, 60))));
    return known;
  }

  function decideForm(): void {
    const lines = waiting;
    waiting = [];
    const texts = lines.map(({ text }) => text);
    const other = cutter.isArray ? null : findOtherText(texts);
    if (other) refusal ??= refuse('not_json', toRefusalText(other, fileName));
    else form = given ?? guessForm(texts);
    if (form !== null) for (const line of lines) addLine(line, form);
  }

  function take({ lines, problems, refusal: whole }: CutLines<FileLine | PlainLine>): void {
    for (const problem of problems) report(problem);
    if (whole !== null) refusal ??= refuse('not_utf8_lines', toRefusalText(whole, fileName));
    for (const line of lines) {
      if (refusal) return;
      if (form !== null) addLine(line, form);
      else {
        const read = toTextLine(line);
        waiting.push(read);
        waitingText += read.text.length;
        if (waiting.length >= FIRST_LINES || waitingText >= FIRST_TEXT) decideForm();
      }
    }
  }

  function takeBlocks(): readonly RowBlock[] {
    const full = blocks;
    blocks = [];
    return full;
  }

  function toRefusal(): FileRefusal | null {
    if (refusal) return refusal;
    if (bytes === 0)
      return refuse('empty_file', 'The file is empty. Send one with a row on each line, or a JSON array of rows.');
    if (rows > 0 || badCount > 0) return null;
    const what = cutter.isArray ? 'its array is empty' : 'only blank lines';
    return refuse(
      'no_rows',
      `The file has no rows, ${what}. Send one with a row on each line, or a JSON array of rows.`,
    );
  }

  return {
    push(chunk) {
      bytes += chunk.length;
      digest.update(chunk);
      take(cutter.push(chunk));
      return takeBlocks();
    },
    end() {
      take(cutter.end());
      if (form === null && !refusal && waiting.length > 0) decideForm();
      const last = builder.end();
      const all = last ? [...takeBlocks(), last] : takeBlocks();
      // What the cutter reports of a chunk comes before what is wrong with rows of it.
      badLines.sort((a, b) => a.line - b.line || a.column - b.column);
      const name: FileResult['form'] = typeof form === 'object' && form !== null ? 'mapped' : form;
      const unit: FileResult['unit'] = cutter.isArray ? 'element' : 'line';
      const result = { refusal: toRefusal(), form: name, rows, unit, badCount, badLines, digest: digest.digest('hex') };
      return { blocks: all, result };
    },
    get isRefused() {
      return refusal !== null;
    },
  };
}
