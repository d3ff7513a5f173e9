// Bytes of a project's file -> its records, checked. Rows become blocks, ready to be stored. Runs in a thread.
import { createHash } from 'node:crypto';
import { createGunzip, type Gunzip } from 'node:zlib';
import { toIssue } from '#core/contract/issues.ts';
import { isObject } from '#core/contract/readJson.ts';
import { mapTexts } from '#core/contract/schemas.ts';
import { readManifest, TRANSFER_VERSION } from '#features/project-files/shared/transferFile.ts';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import { openLineCutter, type CutLines } from '#features/datasets/shared/lineCutter.ts';
import { toRowText } from '#core/rows/readRow.ts';
import { openBlockBuilder, type BlockBuilder, type RowBlock } from '#features/datasets/server/rows/rowBlocks.ts';
import { openFileOrder } from './fileOrder.ts';
import {
  MAX_INFLATED,
  MAX_LINE,
  KINDS,
  placeOf,
  type RecordKind,
  type RecordOf,
  type TransferRecord,
} from './records.ts';
import { openSnapshotSides } from './snapshotSides.ts';
import { refuseFile } from './transferProblem.ts';

/** Rows are given as blocks; all other records as they are. */
export type FileItem =
  | {
      readonly kind: 'blocks';
      readonly dataset_id: string;
      readonly first: number;
      readonly blocks: readonly RowBlock[];
    }
  | Exclude<TransferRecord, { readonly kind: 'rows' | 'end' }>;

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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuseFile('damaged_line', `Line ${line} is no JSON: the file was changed or damaged.`);
  }
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

/** `longest`: of a line, in bytes. */
export function openFileRecords(longest = MAX_LINE): FileRecords {
  const cutter = openLineCutter(longest);
  const checkOrder = openFileOrder();
  const sides = openSnapshotSides();
  const hash = createHash('sha256');
  let items: FileItem[] = [];
  let gunzip: Gunzip | null = null;
  let isPlain: boolean | null = null;
  let head = Buffer.alloc(0);
  let inflated = 0;
  let failure: unknown = null;
  /** The inflater calls nothing back after its end: what follows it is padding. Other junk is an error of its own. */
  let isInflated = false;
  /** Called when the inflater has ended or failed. */
  let settle: () => void = () => undefined;
  let lines = 0;
  let isEnded = false;
  let rows: { readonly dataset_id: string; first: number; readonly builder: BlockBuilder } | null = null;

  function takeBlock(block: RowBlock | null): void {
    if (!rows || !block) return;
    items.push({ kind: 'blocks', dataset_id: rows.dataset_id, first: rows.first, blocks: [block] });
    rows.first += block.row_count;
  }

  function addRows(record: RecordOf<'rows'>, line: number): void {
    rows ??= { dataset_id: record.dataset_id, first: record.first, builder: openBlockBuilder() };
    for (const [at, { text, original, bucket }] of record.rows.entries()) {
      const what = `row ${record.first + at} of dataset ${record.dataset_id}`;
      if (original?.includes('\n')) throw refuseFile('wrong_row', `Line ${line}: the original of ${what} is no line.`);
      const stored = { text, original: original ?? null, hash: checkRow(text, line, what), bucket: bucket ?? null };
      takeBlock(rows.builder.add(stored));
    }
  }

  function endRows(): void {
    if (!rows) return;
    takeBlock(rows.builder.end());
    rows = null;
  }

  function addEnd(record: RecordOf<'end'>, line: number): void {
    if (record.lines !== lines || record.sha256 !== hash.digest('hex'))
      throw refuseFile('damaged_file', `Line ${line} counts other lines than the file has: it was changed or damaged.`);
    isEnded = true;
  }

  function addLine(text: string, line: number): void {
    if (isEnded) throw refuseFile('wrong_order', `Line ${line} stands after the end of the project.`);
    if (lines === 0) checkFirst(text);
    const record = parseRecord(text, line);
    checkOrder(record, line);
    if (placeOf(record.kind).place !== placeOf('snapshot').place) sides.end(line);
    if (record.kind === 'end') {
      endRows();
      return addEnd(record, line);
    }
    hash.update(text).update('\n');
    lines += 1;
    if (record.kind === 'rows') {
      sides.addRows(record);
      return addRows(record, line);
    }
    endRows();
    if (record.kind === 'snapshot') sides.begin(record, line);
    if (record.kind === 'frozen') sides.freeze(record, line);
    if (record.kind === 'frozen-texts')
      for (const [at, row] of record.texts) checkRow(row, line, `the edited row ${at}`);
    if (record.kind === 'marks')
      for (const { edited, position } of record.marks)
        if (edited !== null) checkRow(edited, line, `the edited row ${position}`);
    items.push(record);
  }

  function take({ lines: cut, problems, refusal }: CutLines): void {
    if (refusal !== null) throw notSuchAFile();
    for (const { number, text } of cut) addLine(text, number);
    const [problem] = problems;
    if (problem && lines === 0) throw notSuchAFile();
    if (problem) throw refuseFile('damaged_line', `Line ${problem.line} can not be read. ${problem.message}`);
  }

  function takeInflated(bytes: Uint8Array): void {
    if (failure !== null) return;
    try {
      inflated += bytes.length;
      if (inflated > MAX_INFLATED)
        throw refuseFile('file_too_large', `The file inflates to more than ${MAX_INFLATED / 1024 ** 3} GiB.`);
      take(cutter.push(bytes));
    } catch (error) {
      failure = error;
    }
  }

  function toFailure(error: unknown): unknown {
    if (!(error instanceof Error) || !('code' in error)) return error;
    if (error.code === 'Z_BUF_ERROR') return cutOff();
    return lines === 0 ? notSuchAFile() : refuseFile('damaged_file', 'The file is damaged: it can not be inflated.');
  }

  function openInflater(): Gunzip {
    const opened = createGunzip();
    opened.on('data', takeInflated);
    opened.on('end', () => {
      isInflated = true;
      settle();
    });
    opened.on('error', (error) => {
      failure ??= toFailure(error);
      settle();
    });
    return opened;
  }

  async function inflate(bytes: Uint8Array): Promise<void> {
    if (isInflated) return;
    const open = (gunzip ??= openInflater());
    await new Promise<void>((resolve) => {
      settle = resolve;
      open.write(bytes, () => resolve());
    });
  }

  function takeItems(): readonly FileItem[] {
    if (failure !== null) {
      gunzip?.destroy();
      throw failure;
    }
    const full = items;
    items = [];
    return full;
  }

  async function read(bytes: Uint8Array): Promise<void> {
    if (isPlain === null) {
      head = Buffer.concat([head, bytes]);
      if (head.length < 2) return;
      // Some browsers unpack what they download.
      isPlain = head[0] !== 0x1f || head[1] !== 0x8b;
      return isPlain ? takeInflated(head) : inflate(head);
    }
    return isPlain ? takeInflated(bytes) : inflate(bytes);
  }

  return {
    async push(bytes) {
      if (failure === null) await read(bytes);
      return takeItems();
    },
    async end() {
      if (isPlain === null) failure ??= notSuchAFile();
      if (gunzip && !isInflated && failure === null) {
        const open: Gunzip = gunzip;
        await new Promise<void>((resolve) => {
          settle = resolve;
          open.end();
        });
      }
      try {
        if (failure === null) take(cutter.end());
        if (failure === null && !isEnded) throw lines === 0 ? notSuchAFile() : cutOff();
      } catch (error) {
        failure ??= error;
      }
      return takeItems();
    },
  };
}
