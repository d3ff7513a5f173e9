// A trained model or adapter as the bytes of a GGUF file.
import type { GgufHeader } from '#engine/gguf/ggufHeader.ts';
import { isBlockRow, toTensorData } from '#engine/gguf/tensorNumbers.ts';
import { writeGguf, type GgufEntry, type GgufTensorData } from '#engine/gguf/writeGguf.ts';

/** llama.cpp's numbers of file types. */
const FILE_TYPES = { F16: 1, Q8_0: 7 } as const;
export type FileType = keyof typeof FILE_TYPES;

/** Facts of the base's file that don't hold for another one. */
const OWN_FACTS: ReadonlySet<string> = new Set(['general.name', 'general.file_type', 'general.uuid', 'general.url']);

/**
 * A whole model with the base's vocabulary, template and facts. `read` gives the numbers of a tensor of the base's
 * file; what follows them is left out. Vectors are written in F32, and matrices whose rows Q8_0 can't hold in F16.
 */
export function writeModel(
  base: GgufHeader,
  name: string,
  type: FileType,
  read: (tensor: string) => Float32Array,
): Uint8Array {
  const entries = new Map<string, GgufEntry>();
  for (const [fact, bytes] of base.rawValues) if (!OWN_FACTS.has(fact)) entries.set(fact, { type: 'raw', bytes });
  entries.set('general.name', { type: 'string', value: name });
  entries.set('general.file_type', { type: 'uint32', value: FILE_TYPES[type] });
  const tensors = [...base.tensors.values()].map(({ name: tensor, shape }): GgufTensorData => {
    const [columns = 0] = shape;
    const count = shape.reduce((product, size) => product * size, 1);
    const own = shape.length === 1 ? 'F32' : type === 'Q8_0' && !isBlockRow(columns) ? 'F16' : type;
    return { name: tensor, shape, type: own, data: toTensorData(read(tensor).subarray(0, count), own) };
  });
  return writeGguf(entries, tensors);
}

/** A matrix of an adapter as it lies in memory, with rows or columns beyond the rank. */
export interface AdapterMatrix {
  /** `blk.0.attn_q.weight.lora_a` */
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly numbers: Float32Array;
}

function toRankPart(
  matrix: AdapterMatrix,
  rank: number,
): { readonly shape: readonly number[]; readonly numbers: Float32Array } {
  const { rows, columns, numbers } = matrix;
  if (matrix.name.endsWith('.lora_a')) return { shape: [columns, rank], numbers: numbers.subarray(0, rank * columns) };
  const part = Float32Array.from(
    { length: rows * rank },
    (_, index) => numbers[Math.floor(index / rank) * columns + (index % rank)] ?? 0,
  );
  return { shape: [rank, rows], numbers: part };
}

/** An adapter that llama.cpp puts on the base. Written in F16: rows of a rank below 32 can't be Q8_0. */
export function writeAdapter(
  name: string,
  { rank, alpha }: { readonly rank: number; readonly alpha: number },
  matrices: readonly AdapterMatrix[],
): Uint8Array {
  const entries = new Map<string, GgufEntry>([
    ['general.architecture', { type: 'string', value: 'llama' }],
    ['general.type', { type: 'string', value: 'adapter' }],
    ['general.name', { type: 'string', value: name }],
    ['adapter.type', { type: 'string', value: 'lora' }],
    ['adapter.lora.alpha', { type: 'float32', value: alpha }],
  ]);
  const tensors = matrices.map((matrix): GgufTensorData => {
    const { shape, numbers } = toRankPart(matrix, rank);
    return { name: matrix.name, shape, type: 'F16', data: toTensorData(numbers, 'F16') };
  });
  return writeGguf(entries, tensors);
}
