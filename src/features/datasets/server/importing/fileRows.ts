// Bytes of a file, JSONL or a JSON array -> blocks of stored rows and bad lines. Pure but for the hash of the file;
// runs in a thread.
import { createHash } from 'node:crypto';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { BadLine } from '#features/datasets/shared/contract/datasets.ts';
import type { RowForm } from '#core/rows/chatRow.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
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
  /** The side that all rows are meant for; null: the split decides. */
  readonly bucket: RowBucket | null;
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

/** The form of the rows by the first texts of their file, or why they can't be read. */
function findForm(
  texts: readonly string[],
  { form, fileName }: ImportOrder,
  isArray: boolean,
): { readonly form: RowForm | RowMapping } | FileRefusal {
  const other = isArray ? null : findOtherText(texts);
  if (other) return refuse('not_json', toRefusalText(other, fileName));
  if (form !== null) return { form };
  const guess = recogniseForm(texts);
  if (guess.form !== null) return { form: guess.form };
  // Without any object each line says by itself what is wrong with it.
  if (guess.objects === 0) return { form: 'chat' };
  return toUnknownForm(guess.columns.map(({ name }) => JSON.stringify(name.slice(0, 60))));
}

/** Rows of a file, counted and put into blocks. */
class CountedRows {
  rows = 0;
  badCount = 0;
  readonly badLines: BadLine[] = [];
  private readonly builder;
  private blocks: RowBlock[] = [];

  constructor(private readonly order: Pick<ImportOrder, 'stopsAtBadLine' | 'bucket'>) {
    this.builder = openBlockBuilder(order.bucket);
  }

  get isTooMany(): boolean {
    return this.rows > DATA_LIMITS.rows;
  }

  report(bad: BadLine): void {
    this.badCount += 1;
    if (this.badLines.length < DATA_LIMITS.badLinesKept) this.badLines.push(bad);
  }

  add(line: FileLine | PlainLine, form: RowForm | RowMapping): void {
    if ('text' in line) this.addText(line, form);
    else if (form !== 'chat') this.addText(toTextLine(line), form);
    else if (this.count()) this.keep(this.builder.addPlain(line.chunk, line.at, line.at + line.bytes));
  }

  /** Blocks that are full now. */
  take(): readonly RowBlock[] {
    const full = this.blocks;
    this.blocks = [];
    return full;
  }

  /** The last blocks. */
  end(): readonly RowBlock[] {
    this.keep(this.builder.end());
    // What the cutter reports of a chunk comes before what is wrong with rows of it.
    this.badLines.sort((a, b) => a.line - b.line || a.column - b.column);
    return this.take();
  }

  private addText(line: FileLine, form: RowForm | RowMapping): void {
    const read = toRowText(line, form);
    if (!read.ok) return this.report(read.problem);
    if (!this.count()) return;
    const { text, isSame } = read;
    const original = isSame ? null : line.column === undefined ? line.text : toOneLine(line.text);
    this.keep(this.builder.add({ text, original, hash: toContentHash(text), bucket: this.order.bucket }));
  }

  /** Counts a row. Returns whether it is kept. */
  private count(): boolean {
    this.rows += 1;
    return !this.isTooMany && !(this.order.stopsAtBadLine && this.badCount > 0);
  }

  private keep(block: RowBlock | null): void {
    if (block) this.blocks.push(block);
  }
}

/** Why there are no rows, or too many of them; null: they can be kept. */
function findCountRefusal(
  { rows, badCount, isTooMany }: CountedRows,
  bytes: number,
  isArray: boolean,
): FileRefusal | null {
  if (isTooMany)
    return refuse(
      'too_many_rows',
      `The file has more than ${DATA_LIMITS.rows.toLocaleString('en')} rows, which is the most that a dataset holds. Split it.`,
    );
  if (bytes === 0)
    return refuse('empty_file', 'The file is empty. Send one with a row on each line, or a JSON array of rows.');
  if (rows > 0 || badCount > 0) return null;
  const what = isArray ? 'its array is empty' : 'only blank lines';
  return refuse('no_rows', `The file has no rows, ${what}. Send one with a row on each line, or a JSON array of rows.`);
}

export function openFileRows(order: ImportOrder): FileRows {
  // Plain lines are chat rows. Another form needs all of them as texts.
  const cutter = order.form === null || order.form === 'chat' ? openPlainRowCutter() : openRowCutter();
  const digest = createHash('sha256');
  const counted = new CountedRows(order);
  /** null: not decided yet. */
  let form: RowForm | RowMapping | null = null;
  let refusal: FileRefusal | null = null;
  let bytes = 0;
  /** Lines before the form is known: texts, because plain ones are gone with their chunk. */
  let waiting: FileLine[] = [];
  let waitingText = 0;

  const isRefused = (): boolean => refusal !== null || counted.isTooMany;

  function decideForm(): void {
    const lines = waiting;
    waiting = [];
    const found = findForm(
      lines.map(({ text }) => text),
      order,
      cutter.isArray,
    );
    if ('code' in found) refusal = found;
    else {
      ({ form } = found);
      for (const line of lines) counted.add(line, found.form);
    }
  }

  function wait(line: FileLine): void {
    waiting.push(line);
    waitingText += line.text.length;
    if (waiting.length >= FIRST_LINES || waitingText >= FIRST_TEXT) decideForm();
  }

  function take({ lines, problems, refusal: whole }: CutLines<FileLine | PlainLine>): void {
    for (const problem of problems) counted.report(problem);
    if (whole !== null) refusal = refuse('not_utf8_lines', toRefusalText(whole, order.fileName));
    for (const line of lines) {
      if (isRefused()) return;
      if (form === null) wait(toTextLine(line));
      else counted.add(line, form);
    }
  }

  return {
    push(chunk) {
      bytes += chunk.length;
      digest.update(chunk);
      take(cutter.push(chunk));
      return counted.take();
    },
    end() {
      take(cutter.end());
      if (waiting.length > 0 && !isRefused()) decideForm();
      const blocks = counted.end();
      const { rows, badCount, badLines } = counted;
      const { isArray } = cutter;
      const result = {
        refusal: refusal ?? findCountRefusal(counted, bytes, isArray),
        form: typeof form === 'object' && form !== null ? ('mapped' as const) : form,
        rows,
        unit: isArray ? ('element' as const) : ('line' as const),
        badCount,
        badLines,
        digest: digest.digest('hex'),
      };
      return { blocks, result };
    },
    get isRefused() {
      return isRefused();
    },
  };
}
