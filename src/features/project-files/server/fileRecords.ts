// Bytes of a project's file -> its records, checked. Rows become blocks, ready to be stored. Runs in a thread.
import { createHash } from 'node:crypto';
import { toIssue } from '#core/contract/issues.ts';
import { isObject, parseJson } from '#core/contract/readJson.ts';
import { mapTexts } from '#core/contract/schemas.ts';
import { readManifest, TRANSFER_VERSION } from '#features/project-files/shared/transferFile.ts';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import { openLineCutter, type CutLines } from '#features/datasets/shared/lineCutter.ts';
import { toRowText } from '#core/rows/readRow.ts';
import { openBlockBuilder, type BlockBuilder, type RowBlock } from '#features/datasets/server/rows/rowBlocks.ts';
import { openFileBytes } from './fileBytes.ts';
import { openFileOrder } from './fileOrder.ts';
import { MAX_LINE, KINDS, placeOf, type RecordKind, type RecordOf, type TransferRecord } from './records.ts';
import { openSnapshotSides } from './snapshotSides.ts';
import { refuseFile, TransferProblem } from './transferProblem.ts';

export interface BlocksItem {
  readonly kind: 'blocks';
  readonly dataset_id: string;
  readonly first: number;
  readonly blocks: readonly RowBlock[];
}

/** Rows are given as blocks; all other records as they are. */
export type FileItem = BlocksItem | Exclude<TransferRecord, { readonly kind: 'rows' | 'end' }>;

export interface FileRecords {
  /** What the bytes end. Throws TransferProblem for a file that can't be taken. */
  push(bytes: Uint8Array): Promise<readonly FileItem[]>;
  /** The last items. Throws TransferProblem for a file that is cut off. */
  end(): Promise<readonly FileItem[]>;
}

const isKind = (kind: unknown): kind is RecordKind => typeof kind === 'string' && Object.hasOwn(KINDS, kind);

/** Escapes of what PostgreSQL keeps in no text or in no JSON: NUL, and halves of a pair of surrogates. */
const ESCAPES = /\\u(?:0000|d[89a-f])/i;

const withoutNul = (value: unknown): unknown => mapTexts(value, (text) => text.replaceAll('\0', ''));
const toWellFormed = (value: unknown): unknown => mapTexts(value, (text) => text.replaceAll(/\p{Cs}/gu, '\uFFFD'));

const notSuchAFile = () =>
  refuseFile(
    'not_a_project_file',
    'This is no file of an exported project. Choose one whose name ends with .project.jsonl.gz, or export the project again.',
  );

const cutOff = () =>
  refuseFile('file_cut_off', 'The file is cut off: its last line is missing. Copy or export it again.');

function checkFirst(text: string): void {
  const manifest = readManifest(text);
  if (!manifest) throw notSuchAFile();
  if (manifest.version > TRANSFER_VERSION)
    throw refuseFile(
      'newer_version',
      `The file has version ${manifest.version}, and this studio reads up to ${TRANSFER_VERSION}. Update Model Studio.`,
    );
}

function parseRecord(text: string, line: number): TransferRecord {
  const value = parseJson(text);
  if (value === undefined)
    throw refuseFile('damaged_line', `Line ${line} is no JSON: the file was changed or damaged.`);
  const kind = isObject(value) ? value['kind'] : null;
  if (!isKind(kind)) throw refuseFile('unknown_record', `Line ${line} is of no kind that this studio knows.`);
  const isEscaped = kind !== 'rows' && ESCAPES.test(text);
  const given = isEscaped ? withoutNul(value) : value;
  const read = KINDS[kind].schema.safeParse(given, { reportInput: true });
  if (read.success) return (isEscaped ? toWellFormed(read.data) : read.data) as TransferRecord;
  const { message } = toIssue(read.error.issues);
  throw refuseFile('wrong_record', `Line ${line} (${kind}) is not as it should be: ${message}`);
}

/** Texts that are rows by our own rules. Returns the hash. */
function checkRow(text: string, line: number, what: string): string {
  const read = toRowText({ number: 1, text }, 'chat');
  if (!read.ok || text.includes('\n'))
    throw refuseFile('wrong_row', `Line ${line}: ${what} is no row${read.ok ? '' : ` (${read.problem.message})`}.`);
  return toContentHash(read.text);
}

/** The rows that a person has edited. */
function checkEdits(record: TransferRecord, line: number): void {
  if (record.kind === 'frozen-texts')
    for (const [at, text] of record.texts) checkRow(text, line, `the edited row ${at}`);
  if (record.kind === 'marks')
    for (const { edited, position } of record.marks)
      if (edited !== null) checkRow(edited, line, `the edited row ${position}`);
}

/** Rows of a dataset -> blocks, which `take` gets. */
function openRowBlocks(take: (item: BlocksItem) => void) {
  let open: { readonly dataset_id: string; first: number; readonly builder: BlockBuilder } | null = null;

  function takeBlock(block: RowBlock | null): void {
    if (!open || !block) return;
    take({ kind: 'blocks', dataset_id: open.dataset_id, first: open.first, blocks: [block] });
    open.first += block.row_count;
  }

  return {
    add(record: RecordOf<'rows'>, line: number): void {
      open ??= { dataset_id: record.dataset_id, first: record.first, builder: openBlockBuilder() };
      for (const [at, { text, original, bucket }] of record.rows.entries()) {
        const what = `row ${record.first + at} of dataset ${record.dataset_id}`;
        if (original?.includes('\n'))
          throw refuseFile('wrong_row', `Line ${line}: the original of ${what} is no line.`);
        const stored = { text, original: original ?? null, hash: checkRow(text, line, what), bucket: bucket ?? null };
        takeBlock(open.builder.add(stored));
      }
    },
    end(): void {
      takeBlock(open?.builder.end() ?? null);
      open = null;
    },
  };
}

/** Lines of a file -> its records, checked. */
function openLines() {
  const checkOrder = openFileOrder();
  const sides = openSnapshotSides();
  const hash = createHash('sha256');
  let items: FileItem[] = [];
  const rows = openRowBlocks((item) => items.push(item));
  let count = 0;
  let isWhole = false;

  function checkEnd(record: RecordOf<'end'>, line: number): void {
    if (record.lines !== count || record.sha256 !== hash.digest('hex'))
      throw refuseFile('damaged_file', `Line ${line} counts other lines than the file has: it was changed or damaged.`);
    isWhole = true;
  }

  return {
    add(text: string, line: number): void {
      if (isWhole) throw refuseFile('wrong_order', `Line ${line} stands after the end of the project.`);
      if (count === 0) checkFirst(text);
      const record = parseRecord(text, line);
      checkOrder(record, line);
      if (placeOf(record.kind).place !== placeOf('snapshot').place) sides.end(line);
      if (record.kind !== 'rows') rows.end();
      if (record.kind === 'end') return checkEnd(record, line);
      hash.update(text).update('\n');
      count += 1;
      if (record.kind === 'rows') {
        sides.addRows(record);
        return rows.add(record, line);
      }
      if (record.kind === 'snapshot') sides.begin(record, line);
      if (record.kind === 'frozen') sides.freeze(record, line);
      checkEdits(record, line);
      items.push(record);
    },
    isBegun: () => count > 0,
    isWhole: () => isWhole,
    /** The records since the last call. */
    takeItems(): readonly FileItem[] {
      const full = items;
      items = [];
      return full;
    },
  };
}

/** What zlib finds has a code of its own. */
function toFailure(error: unknown, isBegun: boolean): unknown {
  if (error instanceof TransferProblem || !(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'Z_BUF_ERROR') return cutOff();
  return isBegun ? refuseFile('damaged_file', 'The file is damaged: it can not be inflated.') : notSuchAFile();
}

/** `longest`: of a line, in bytes. */
export function openFileRecords(longest = MAX_LINE): FileRecords {
  const cutter = openLineCutter(longest);
  const lines = openLines();
  let failure: unknown = null;

  function addLines({ lines: cut, problems, refusal }: CutLines): void {
    if (refusal !== null) throw notSuchAFile();
    for (const { number, text } of cut) lines.add(text, number);
    const [problem] = problems;
    if (!problem) return;
    if (!lines.isBegun()) throw notSuchAFile();
    throw refuseFile('damaged_line', `Line ${problem.line} can not be read. ${problem.message}`);
  }

  const bytes = openFileBytes((plain) => addLines(cutter.push(plain)));

  /** A file that has failed once stays so. */
  async function read(work: () => Promise<void>): Promise<readonly FileItem[]> {
    try {
      if (failure === null) await work();
    } catch (error) {
      failure = toFailure(error, lines.isBegun());
    }
    if (failure !== null) throw failure;
    return lines.takeItems();
  }

  return {
    push: (chunk) => read(() => bytes.write(chunk)),
    end: () =>
      read(async () => {
        await bytes.end();
        addLines(cutter.end());
        if (!lines.isWhole()) throw lines.isBegun() ? cutOff() : notSuchAFile();
      }),
  };
}
