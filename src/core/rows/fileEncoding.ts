// What the first bytes of a file say about its form, and where bytes stop being UTF-8. Pure.
import { MADE, toFileCommand, type ToCommand } from './fileCommands.ts';

/** How many first bytes `findRefusal` needs. */
export const HEAD_BYTES = 4;

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  bytes.length >= start.length && start.every((byte, at) => bytes[at] === byte);

/** The texts `{"` and `[{` have a zero beside each letter in UTF-16, and three in UTF-32. */
const isWide = (bytes: Uint8Array): boolean => {
  const [a = 1, b = 1, c = 1, d = 1] = bytes;
  if (bytes.length < 2) return false;
  const isLittle = a !== 0 && b === 0 && (bytes.length < 4 || d === 0);
  const isBig = a === 0 && (b !== 0 || c === 0) && (bytes.length < 4 || d !== 0);
  return isLittle || isBig;
};

/** A file that rows can't be read from. */
export interface OtherFile {
  /** What it is and what to do, in sentences. */
  readonly reason: string;
  /** Writes a line for a terminal that makes a file which can be read; null: there is none. */
  readonly toCommand: ToCommand | null;
}

export const READS = 'The studio reads JSONL (one JSON object on each line), JSON arrays, Parquet and Arrow.';

/** Both in one text, for programs. */
export const toRefusalText = ({ reason, toCommand }: OtherFile, fileName: string | null): string =>
  toCommand === null ? reason : `${reason} For example: ${toCommand(fileName)}`;

const TO_UTF8 = toFileCommand('data.jsonl', MADE.utf8, (file, made) => `iconv -f UTF-16 -t UTF-8 ${file} > ${made}`);

const toWide = (verb: string): OtherFile => ({
  reason: `The file ${verb} UTF-16, and rows are read as UTF-8. Save the file as UTF-8.`,
  toCommand: TO_UTF8,
});

/** A file whose bytes are no text at all. `what`: what it is or has, as a verb and its object. */
export const toNoText = (what: string): OtherFile => ({
  reason: `The file ${what}, so it is no text. ${READS} Choose the file with the rows, or export them as one.`,
  toCommand: null,
});

/** Hugging Face's package: pandas would leave messages as texts where its tables keep them as JSON. */
const toDatasets = (read: string): string => `python3 -c 'import datasets as d, sys; ${read}.to_json(sys.argv[2])'`;
const READ_PARQUET = toDatasets('d.load_dataset("parquet", data_files=sys.argv[1])["train"]');
const READ_ARROW = toDatasets('d.Dataset.from_file(sys.argv[1])');

/** Of a damaged file of Arrow, or a type in it that is not read: others are read. */
export const ARROW: OtherFile = {
  reason: `The file is in Arrow. ${READS} Convert it.`,
  toCommand: toFileCommand('data-00000-of-00001.arrow', MADE.jsonl, (file, made) => `${READ_ARROW} ${file} ${made}`),
};

/** Of a Parquet file that is too large, or damaged: others are read. */
export const PARQUET: OtherFile = {
  reason: `The file is in Parquet. ${READS} Convert it.`,
  toCommand: toFileCommand('data.parquet', MADE.jsonl, (file, made) => `${READ_PARQUET} ${file} ${made}`),
};

const PARQUET_MARK = [0x50, 0x41, 0x52, 0x31];
/** Of a stream: it begins a message. */
const ARROW_STREAM_MARK = [0xff, 0xff, 0xff, 0xff];
const ARROW_FILE_MARK = [0x41, 0x52, 0x52, 0x4f];

/** `bytes`: the first or the last ones of a file. */
export const isParquet = (bytes: Uint8Array): boolean => startsWith(bytes, PARQUET_MARK);

/** `bytes`: the first ones of a file. */
export const isArrow = (bytes: Uint8Array): boolean =>
  startsWith(bytes, ARROW_STREAM_MARK) || startsWith(bytes, ARROW_FILE_MARK);

/** The first bytes of files that people send by mistake. */
const OTHER_FILES: readonly (OtherFile & { readonly start: readonly number[] })[] = [
  {
    start: [0x1f, 0x8b],
    reason: `The file is compressed with gzip. ${READS} Unpack it.`,
    toCommand: toFileCommand('data.jsonl.gz', MADE.unpacked, (file, made) => `gunzip < ${file} > ${made}`),
  },
  {
    start: [0x28, 0xb5, 0x2f, 0xfd],
    reason: `The file is compressed with zstd. ${READS} Unpack it.`,
    toCommand: toFileCommand('data.jsonl.zst', MADE.unpacked, (file, made) => `unzstd < ${file} > ${made}`),
  },
  {
    start: [0x50, 0x4b, 0x03, 0x04],
    reason: `The file is a ZIP archive or a spreadsheet. ${READS} Unpack the archive, or export the sheet as CSV and convert that.`,
    toCommand: toFileCommand('data.zip', MADE.unpacked, (file) => `unzip ${file}`),
  },
  { start: [0x89, 0x50, 0x4e, 0x47], ...toNoText('is a picture (PNG)') },
  { start: [0xff, 0xd8, 0xff], ...toNoText('is a picture (JPEG)') },
  { start: [0x47, 0x49, 0x46, 0x38], ...toNoText('is a picture (GIF)') },
  { start: [0x25, 0x50, 0x44, 0x46], ...toNoText('is a PDF document') },
  { start: [0xd0, 0xcf, 0x11, 0xe0], ...toNoText('is an old Office document, such as .xls or .doc') },
  { start: PARQUET_MARK, ...PARQUET },
  { start: ARROW_STREAM_MARK, ...ARROW },
  { start: ARROW_FILE_MARK, ...ARROW },
  { start: [0x53, 0x51, 0x4c, 0x69], ...toNoText('is a database of SQLite') },
];

/** Why a file can't be read as UTF-8 text, and what to do; null if it may be one. `head`: its first bytes. */
export function findRefusal(head: Uint8Array): OtherFile | null {
  if (startsWith(head, [0xff, 0xfe]) || startsWith(head, [0xfe, 0xff])) return toWide('is');
  const other = OTHER_FILES.find(({ start }) => startsWith(head, start));
  if (other) return { reason: other.reason, toCommand: other.toCommand };
  return isWide(head) ? toWide('looks like') : null;
}

/** The range of the second byte of a sequence, which excludes overlong forms, surrogates and code points too large. */
function toSecondRange(lead: number): readonly [number, number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  if (lead === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}

/** How many bytes follow a lead byte; -1: no sequence starts with it. */
function toFollowing(lead: number): number {
  if (lead < 0x80) return 0;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  if (lead < 0xe0) return 1;
  return lead < 0xf0 ? 2 : 3;
}

/** The place of the first byte that starts no whole UTF-8 sequence; -1 if all bytes are UTF-8 (WHATWG Encoding). */
export function findUtf8Fault(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const following = toFollowing(lead);
    if (following < 0) return at;
    const [low, high] = toSecondRange(lead);
    for (let next = 1; next <= following; next += 1) {
      const byte = bytes[at + next] ?? 0;
      if (byte < (next === 1 ? low : 0x80) || byte > (next === 1 ? high : 0xbf)) return at;
    }
    at += following + 1;
  }
  return -1;
}
