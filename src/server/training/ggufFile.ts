// Looks at a GGUF file on disk: its header, and whether all of its tensors are there.
import { open } from 'node:fs/promises';
import { GgufError, MAX_GGUF_HEADER, readGgufHeader, type GgufHeader } from '#server/engine/gguf/ggufHeader.ts';

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
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  30: [1, 2],
};

/** The header, and where the last tensor ends (of unknown types: where it begins), in bytes. */
interface GgufFile {
  readonly header: GgufHeader;
  readonly bytes: number;
  readonly needed: number;
}

function toNeeded({ tensors, dataStart }: GgufHeader): number {
  let end = dataStart;
  for (const { shape, type, offset } of tensors.values()) {
    const [values, bytes] = BLOCKS[type] ?? [1, 0];
    const count = shape.reduce((product, size) => product * size, 1);
    end = Math.max(end, dataStart + offset + Math.ceil(count / values) * bytes);
  }
  return end;
}

/** Throws GgufError, or the error of a file that can't be read. */
async function readGgufFile(path: string): Promise<GgufFile> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    for (let length = FIRST_READ; ; length *= 8) {
      const wanted = Math.min(length, size, MAX_GGUF_HEADER);
      const bytes = new Uint8Array(wanted);
      await file.read(bytes, 0, wanted, 0);
      try {
        const header = readGgufHeader(bytes);
        return { header, bytes: size, needed: toNeeded(header) };
      } catch (error) {
        if (!(error instanceof GgufError) || wanted >= Math.min(size, MAX_GGUF_HEADER)) throw error;
      }
    }
  } finally {
    await file.close();
  }
}

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** What is wrong with a file that should be a whole model or adapter, one sentence; null: nothing. */
export async function findGgufProblem(path: string, kind: 'gguf' | 'adapter'): Promise<string | null> {
  try {
    const { header, bytes, needed } = await readGgufFile(path);
    if (bytes < needed)
      return `The file is cut off: it has ${mebibytes(bytes)}, and its header counts ${mebibytes(needed)}.`;
    if (header.tensors.size === 0) return 'The file holds no weights.';
    const isAdapter = header.values.get('general.type') === 'adapter';
    if (isAdapter !== (kind === 'adapter'))
      return isAdapter ? 'The file is an adapter, not a whole model.' : 'The file is a whole model, not an adapter.';
    return null;
  } catch (error) {
    if (error instanceof GgufError) return error.message;
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return code === 'ENOENT' ? 'There is no such file.' : `The file can't be read (${code}).`;
  }
}

/** Throws GgufError, or the error of a file that can't be read. */
export const readHeader = async (path: string): Promise<GgufHeader> => (await readGgufFile(path)).header;

/** Tokens that a model can read; null: the file does not say. */
export async function readContextLength(path: string): Promise<number | null> {
  try {
    const { values } = await readHeader(path);
    const length = values.get(`${String(values.get('general.architecture'))}.context_length`);
    return typeof length === 'number' && length > 0 ? length : null;
  } catch {
    return null;
  }
}
