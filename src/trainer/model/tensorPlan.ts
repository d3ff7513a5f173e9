// Where each tensor of a model lies in one run of numbers.
import type { ModelShape } from '#trainer/shared/canTrain.ts';

/** A tensor of `rows` lines of `columns` numbers, as GGUF has it: the result's dimension first. */
export interface TensorPlace {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  /** Numbers from the start. */
  readonly offset: number;
}

export interface TensorPlan {
  readonly places: ReadonlyMap<string, TensorPlace>;
  readonly count: number;
}

export function findTensor({ places }: TensorPlan, name: string): TensorPlace {
  const place = places.get(name);
  if (place === undefined) throw new Error(`There is no tensor ${name}.`);
  return place;
}

export const EMBEDDING = 'token_embd.weight';
export const OUTPUT_NORM = 'output_norm.weight';
export const OUTPUT = 'output.weight';

/** Matrices of a layer, without `blk.N.` and `.weight`. All of them get an adapter. */
const LAYER_MATRICES = ['attn_q', 'attn_k', 'attn_v', 'attn_output', 'ffn_gate', 'ffn_up', 'ffn_down'] as const;
export type LayerMatrix = (typeof LAYER_MATRICES)[number];
const LAYER_NORMS = ['attn_norm', 'ffn_norm'] as const;

export const toTensorName = (layer: number, part: LayerMatrix | (typeof LAYER_NORMS)[number]): string =>
  `blk.${layer}.${part}.weight`;

const roundUp = (count: number, step: number): number => Math.ceil(count / step) * step;

/** Rows of the embedding in memory: the kernels want a multiple of 8, and the rows beyond the vocabulary stay 0. */
export const toVocabularyRows = ({ vocabulary }: ModelShape): number => roundUp(vocabulary, 8);

/** [rows, columns] of the matrices of a layer. */
function toMatrixSizes(shape: ModelShape): Readonly<Record<LayerMatrix, readonly [number, number]>> {
  const { width, innerWidth } = shape;
  const queries = shape.heads * shape.headWidth;
  const keys = shape.keyHeads * shape.headWidth;
  return {
    attn_q: [queries, width],
    attn_k: [keys, width],
    attn_v: [keys, width],
    attn_output: [width, queries],
    ffn_gate: [innerWidth, width],
    ffn_up: [innerWidth, width],
    ffn_down: [width, innerWidth],
  };
}

function toPlan(sizes: readonly (readonly [string, number, number])[]): TensorPlan {
  let offset = 0;
  const places = new Map<string, TensorPlace>();
  for (const [name, rows, columns] of sizes) {
    places.set(name, { name, rows, columns, offset });
    offset += roundUp(rows * columns, 16);
  }
  return { places, count: offset };
}

/** All weights of a model. */
export function toWeightPlan(shape: ModelShape): TensorPlan {
  const { width } = shape;
  const rows = toVocabularyRows(shape);
  const sizes = toMatrixSizes(shape);
  return toPlan([
    [EMBEDDING, rows, width],
    [OUTPUT_NORM, 1, width],
    ...(shape.hasOutput ? [[OUTPUT, rows, width] as const] : []),
    ...Array.from({ length: shape.layers }, (_, layer) => [
      ...LAYER_NORMS.map((part) => [toTensorName(layer, part), 1, width] as const),
      ...LAYER_MATRICES.map((part) => [toTensorName(layer, part), ...sizes[part]] as const),
    ]).flat(),
  ]);
}

export const ADAPTER_ENDS = ['.lora_a', '.lora_b'] as const;

/**
 * Neighbours of about as many numbers for each of `count` threads. The pair of an adapter stays together; a part may be empty.
 */
export function toParts(plan: TensorPlan, count: number): readonly (readonly TensorPlace[])[] {
  const parts = Array.from({ length: count }, (): TensorPlace[] => []);
  let last = 0;
  for (const place of plan.places.values()) {
    const middle = place.offset + (place.rows * place.columns) / 2;
    const at = place.name.endsWith(ADAPTER_ENDS[1])
      ? last
      : Math.min(count - 1, Math.floor((middle * count) / plan.count));
    parts[at]?.push(place);
    last = at;
  }
  return parts;
}

/** Rows of a and columns of b in memory: the rank, rounded up as the kernels want it. What is beyond it stays 0. */
export const toRankRows = (rank: number): number => roundUp(rank, 8);

/** The pairs of an adapter: the change of a matrix is b x a. */
export function toAdapterPlan(shape: ModelShape, rank: number): TensorPlan {
  const sizes = toMatrixSizes(shape);
  const padded = toRankRows(rank);
  return toPlan(
    Array.from({ length: shape.layers }, (_, layer) =>
      LAYER_MATRICES.flatMap((part) => {
        const [rows, columns] = sizes[part];
        const name = toTensorName(layer, part);
        return [[`${name}.lora_a`, padded, columns] as const, [`${name}.lora_b`, rows, padded] as const];
      }),
    ).flat(),
  );
}
