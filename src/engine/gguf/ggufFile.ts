// Looks at a GGUF file on disk: its header, and whether all of its tensors are there.
import { nearFiles, readFully, type Files } from '#service/files/files.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { GgufError, MAX_GGUF_HEADER, readGgufHeader, type GgufHeader } from './ggufHeader.ts';

const FIRST_READ = 1024 * 1024;

/** Values of a block and its bytes, by ggml's number of the type. https://github.com/ggml-org/ggml/blob/master/src/ggml.c */
const BLOCKS: Readonly<Record<number, readonly [values: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  9: [32, 36],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  15: [256, 292],
  16: [256, 66],
  17: [256, 74],
  18: [256, 98],
  19: [256, 50],
  20: [32, 18],
  21: [256, 110],
  22: [256, 82],
  23: [256, 136],
  24: [1, 1],
  25: [1, 2],
  26: [1, 4],
  27: [1, 8],
  28: [1, 8],
  29: [256, 56],
  30: [1, 2],
  34: [256, 54],
  35: [256, 66],
  39: [32, 17],
};

/** The header, and where the last tensor ends (of unknown types: where it begins), in bytes. */
interface GgufFile {
  readonly header: GgufHeader;
  readonly bytes: number;
  readonly needed: number;
}

/** Throws GgufError for a tensor that can't be. */
function toNeeded({ tensors, dataStart }: GgufHeader): number {
  let end = dataStart;
  for (const { name, shape, type, offset } of tensors.values()) {
    const [values, bytes] = BLOCKS[type] ?? [1, 0];
    const count = shape.reduce((product, size) => product * size, 1);
    if (!(count > 0) || !Number.isSafeInteger(count))
      throw new GgufError(`The tensor ${name} counts ${count} values: the file is damaged.`);
    const [row = 0] = shape;
    if (row % values !== 0)
      throw new GgufError(`The rows of the tensor ${name} have ${row} values, which is no multiple of ${values}.`);
    end = Math.max(end, dataStart + offset + (count / values) * bytes);
  }
  return end;
}

/** Sizes that no model is without. llama.cpp divides by some of them. */
const SIZES = ['context_length', 'embedding_length', 'block_count', 'feed_forward_length', 'attention.head_count'];

/** A number that llama.cpp would end the process for; null: none is known. */
function findOddNumber({ values }: GgufHeader): string | null {
  const family = String(values.get('general.architecture'));
  for (const size of SIZES) {
    const value = values.get(`${family}.${size}`);
    if (value === 0 || (typeof value === 'number' && !Number.isSafeInteger(value)))
      return `Its header says that ${family}.${size} is ${value}.`;
  }
  const odd = [...values].find(
    ([name, value]) => name.endsWith('epsilon') && typeof value === 'number' && !(value >= 0 && value < 1),
  );
  return odd ? `Its header says that ${odd[0]} is ${String(odd[1])}.` : null;
}

/** Throws GgufError, or the error of a file that can't be read. */
async function readGgufFile(path: string, files: Files, hasLists = false): Promise<GgufFile> {
  const found = await files.find(path);
  if (found === null) throw Object.assign(new Error(`There is no file ${path}.`), { code: 'ENOENT' });
  for (let length = FIRST_READ; ; length *= 8) {
    const wanted = Math.min(length, found.bytes, MAX_GGUF_HEADER);
    const bytes = await readFully(files, found.path, 0, wanted);
    try {
      const header = readGgufHeader(bytes, hasLists);
      return { header, bytes: found.bytes, needed: toNeeded(header) };
    } catch (error) {
      if (!(error instanceof GgufError) || wanted >= Math.min(found.bytes, MAX_GGUF_HEADER)) throw error;
    }
  }
}

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** What is wrong with a file that should be a whole model or adapter, one sentence; null: nothing. */
export async function findGgufProblem(
  path: string,
  kind: 'gguf' | 'adapter',
  files: Files = nearFiles,
): Promise<string | null> {
  try {
    const { header, bytes, needed } = await readGgufFile(path, files);
    if (bytes < needed)
      return `The file is cut off: it has ${mebibytes(bytes)}, and its header counts ${mebibytes(needed)}.`;
    if (header.tensors.size === 0) return 'The file holds no weights.';
    const isAdapter = header.values.get('general.type') === 'adapter';
    const oddNumber = findOddNumber(header);
    if (oddNumber !== null) return oddNumber;
    if (isAdapter !== (kind === 'adapter'))
      return isAdapter ? 'The file is an adapter, not a whole model.' : 'The file is a whole model, not an adapter.';
    return null;
  } catch (error) {
    if (error instanceof GgufError) return error.message;
    if (error instanceof Silence) return `The file can't be read: ${error.message}. Check the mount.`;
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return code === 'ENOENT' ? 'There is no such file.' : `The file can't be read (${code}).`;
  }
}

/** Its lists have no items (readGgufHeader). Throws GgufError, or the error of a file that can't be read. */
export const readHeader = async (path: string, files: Files = nearFiles): Promise<GgufHeader> =>
  (await readGgufFile(path, files)).header;

/** With the items of its lists. Throws as `readHeader` does. */
export const readHeaderWithLists = async (path: string): Promise<GgufHeader> =>
  (await readGgufFile(path, nearFiles, true)).header;

/** Files of which something is known. */
const MOST_KNOWN = 64;

/**
 * Reads a file again only after it has changed. A failure is not kept. Rejects with Silence, and as `read` does.
 */
export function oncePerFile<Value>(
  read: (path: string, files: Files) => Promise<Value>,
): (path: string, files?: Files) => Promise<Value> {
  const known = new Map<string, Promise<Value>>();
  return async (path, files = nearFiles) => {
    const found = await files.find(path).catch((error: unknown) => {
      if (error instanceof Silence) throw error;
      return null;
    });
    const key = `${path} ${found?.bytes ?? 0} ${found?.modifiedAt ?? 0}`;
    const reading = known.get(key) ?? read(path, files);
    known.delete(key);
    known.set(key, reading);
    reading.catch(() => known.delete(key));
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return reading;
  };
}

const readKnownLength = oncePerFile(async (path, files): Promise<number | null> => {
  const { values } = await readHeader(path, files);
  const length = values.get(`${String(values.get('general.architecture'))}.context_length`);
  return typeof length === 'number' && length > 0 ? length : null;
});

/** Tokens that a model can read; null: the file does not say, or can't be read. */
export const readContextLength = (path: string, files: Files = nearFiles): Promise<number | null> =>
  readKnownLength(path, files).catch(() => null);
