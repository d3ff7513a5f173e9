// The pass forward: what each token's state becomes through the layers.
import type { ModelShape } from '#trainer/shared/canTrain.ts';
import type { Matrix } from '#trainer/kernel/kernels.ts';
import type { Batch, Segment } from './batch.ts';
import type { LayerMemory, ModelMemory } from './memory.ts';
import { EMBEDDING, findTensor, OUTPUT, OUTPUT_NORM, toTensorName, type TensorPlace } from './tensorPlan.ts';

export interface Model {
  readonly shape: ModelShape;
  readonly memory: ModelMemory;
}

export const findPlace = ({ memory }: Model, name: string): TensorPlace => findTensor(memory.plan, name);

/** Address of a tensor that the passes compute with. */
export const activeAt = (model: Model, name: string): number =>
  model.memory.active.at + findPlace(model, name).offset * 4;

export const outputName = ({ shape }: Model): string => (shape.hasOutput ? OUTPUT : EMBEDDING);

/** target (+)= x times the matrix's transpose: what a layer makes of `rows` tokens. */
function applyMatrix(model: Model, name: string, x: number, target: number, rows: number, isAdded = false): void {
  const place = findPlace(model, name);
  model.memory.multiply({
    left: { at: x, stride: place.columns },
    right: { at: activeAt(model, name), stride: place.columns },
    isRightTransposed: true,
    result: { at: target, stride: place.rows },
    rows,
    columns: place.rows,
    inner: place.columns,
    isAdded,
  });
}

/** One head of one segment: where its parts are, and the place of its softmax. */
export interface HeadPlace {
  readonly segment: Segment;
  /** Bytes from the start of a region of queries or of keys. */
  readonly queryOffset: number;
  readonly keyOffset: number;
  readonly queryStride: number;
  readonly keyStride: number;
  /** Bytes from the start of the region of shares. */
  readonly shareOffset: number;
  readonly shareStride: number;
  /** True for all heads but the first that share one head of keys. */
  readonly isKeyShared: boolean;
}

/** Heads of segments in order. Writing a segment may spill into the next one, which is written afterwards. */
export function toHeads(shape: ModelShape, segments: readonly Segment[]): readonly HeadPlace[] {
  const queryStride = shape.heads * shape.headWidth;
  const keyStride = shape.keyHeads * shape.headWidth;
  const group = shape.heads / shape.keyHeads;
  let shareOffset = 0;
  return segments.flatMap((segment) => {
    const shareStride = Math.ceil(segment.length / 8) * 8;
    return Array.from({ length: shape.heads }, (_, head) => {
      const place = {
        segment,
        queryOffset: (segment.from * queryStride + head * shape.headWidth) * 4,
        keyOffset: (segment.from * keyStride + Math.floor(head / group) * shape.headWidth) * 4,
        queryStride,
        keyStride,
        shareOffset,
        shareStride,
        isKeyShared: head % group !== 0,
      };
      shareOffset += shareStride * shareStride * 4;
      return place;
    });
  });
}

export const toScale = ({ headWidth }: ModelShape): number => 1 / Math.sqrt(headWidth);

function attend({ shape, memory }: Model, layer: LayerMemory, heads: readonly HeadPlace[]): void {
  const { kernels, multiply } = memory;
  for (const place of heads) {
    const { length } = place.segment;
    const queries: Matrix = { at: layer.queries.at + place.queryOffset, stride: place.queryStride };
    const keys: Matrix = { at: layer.keys.at + place.keyOffset, stride: place.keyStride };
    const values: Matrix = { at: layer.values.at + place.keyOffset, stride: place.keyStride };
    const attended: Matrix = { at: layer.attended.at + place.queryOffset, stride: place.queryStride };
    const shares: Matrix = { at: layer.shares.at + place.shareOffset, stride: place.shareStride };
    multiply({
      left: queries,
      right: keys,
      isRightTransposed: true,
      result: shares,
      rows: length,
      columns: place.shareStride,
      inner: shape.headWidth,
    });
    kernels.causalSoftmax(shares.at, length, shares.stride, toScale(shape));
    multiply({ left: shares, right: values, result: attended, rows: length, columns: shape.headWidth, inner: length });
  }
}

/** Copies the embeddings of `tokens` into `target`, one row for each. */
function embed(model: Model, tokens: Int32Array, target: number): void {
  const { shape, memory } = model;
  const all = memory.machine.floats({ at: 0, count: target / 4 + tokens.length * shape.width });
  const start = activeAt(model, EMBEDDING) / 4;
  for (const [row, token] of tokens.entries()) {
    const from = start + token * shape.width;
    all.copyWithin(target / 4 + row * shape.width, from, from + shape.width);
  }
}

export function copyRows({ memory }: Model, target: number, source: number, count: number): void {
  const all = memory.machine.floats({ at: 0, count: Math.max(target, source) / 4 + count });
  all.copyWithin(target / 4, source / 4, source / 4 + count);
}

/** Leaves the last norm of each token in `finalNorm`, and in each layer what the pass backward needs. */
export function runForward(model: Model, batch: Batch, heads: readonly HeadPlace[]): void {
  const { shape, memory } = model;
  const { kernels, machine } = memory;
  const count = batch.tokens.length;
  machine.integers(memory.tokens).set(batch.tokens);
  machine.integers(memory.positions).set(batch.positions);
  const norm = (x: number, name: string, target: number, inverses: number): void =>
    kernels.normForward(x, activeAt(model, name), target, inverses, count, shape.width, shape.epsilon);
  const rotate = (x: number, width: number): void =>
    kernels.rotate(x, memory.angles.at, memory.positions.at, count, width, shape.headWidth, 1);
  embed(model, batch.tokens, (memory.layers[0] ?? { entered: memory.left }).entered.at);
  for (const [index, layer] of memory.layers.entries()) {
    const left = (memory.layers[index + 1]?.entered ?? memory.left).at;
    norm(layer.entered.at, toTensorName(index, 'attn_norm'), layer.firstNorm.at, layer.firstInverses.at);
    applyMatrix(model, toTensorName(index, 'attn_q'), layer.firstNorm.at, layer.queries.at, count);
    applyMatrix(model, toTensorName(index, 'attn_k'), layer.firstNorm.at, layer.keys.at, count);
    applyMatrix(model, toTensorName(index, 'attn_v'), layer.firstNorm.at, layer.values.at, count);
    rotate(layer.queries.at, shape.heads * shape.headWidth);
    rotate(layer.keys.at, shape.keyHeads * shape.headWidth);
    attend(model, layer, heads);
    copyRows(model, layer.between.at, layer.entered.at, count * shape.width);
    applyMatrix(model, toTensorName(index, 'attn_output'), layer.attended.at, layer.between.at, count, true);
    norm(layer.between.at, toTensorName(index, 'ffn_norm'), layer.secondNorm.at, layer.secondInverses.at);
    applyMatrix(model, toTensorName(index, 'ffn_gate'), layer.secondNorm.at, layer.gate.at, count);
    applyMatrix(model, toTensorName(index, 'ffn_up'), layer.secondNorm.at, layer.up.at, count);
    kernels.gateForward(layer.gate.at, layer.up.at, layer.gated.at, count * shape.innerWidth);
    copyRows(model, left, layer.between.at, count * shape.width);
    applyMatrix(model, toTensorName(index, 'ffn_down'), layer.gated.at, left, count, true);
  }
  norm(memory.left.at, OUTPUT_NORM, memory.finalNorm.at, memory.finalInverses.at);
}
