// Commands for a terminal that make a file which can be read of one that can't, with its own name. Pure.

/** `fileName`: null where it is not known. */
export type ToCommand = (fileName: string | null) => string;

/** What a terminal or a reader may take for something else: control characters, marks that turn the text around. */
const HIDDEN = /\p{C}/u;
const PLAIN = /^[\p{L}\p{N}._-]+$/u;

/** A name that can stand in a command; null: none can be told. */
const toUsable = (name: string | null): string | null =>
  name === null || /^\.{0,2}$/.test(name) || name.includes('/') || HIDDEN.test(name) ? null : name;

/** The name as one word of a POSIX shell, which no program takes for an option. */
function toWord(name: string): string {
  const path = name.startsWith('-') ? `./${name}` : name;
  return PLAIN.test(name) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

const withMark = (name: string, mark: string): string => name.replace(/(\.[^.]*)?$/, `.${mark}$1`);

/** A file that is read while it is written would be lost. Some disks don't tell capitals from small letters. */
const apartFrom = (name: string, made: string, mark: string): string =>
  made === '' || made.toLowerCase() === name.toLowerCase() ? withMark(name, mark) : made;

const FROM_TABLE = /\.(csv|tsv|tab|txt|parquet|arrow|feather|jsonl|ndjson|json)$/i;

/** What is made of a file, by its name. */
export const MADE = {
  utf8: (name: string): string => withMark(name, 'utf8'),
  jsonl: (name: string): string => apartFrom(name, `${name.replace(FROM_TABLE, '')}.jsonl`, 'converted'),
  unpacked: (name: string): string => apartFrom(name, name.replace(/\.(gz|gzip|zst|zstd)$/i, ''), 'unpacked'),
} as const;

/** `usual`: the name of a file whose name is not known. */
export const toFileCommand =
  (usual: string, toMade: (name: string) => string, write: (file: string, made: string) => string): ToCommand =>
  (fileName) => {
    const name = toUsable(fileName) ?? usual;
    return write(toWord(name), toWord(toMade(name)));
  };
