// The pass backward: gradients of all weights, from the gradient of each token's last state.
import type { Matrix } from '#trainer/kernel/kernels.ts';
import type { Batch } from './batch.ts';
import { activeAt, findPlace, toScale, type HeadPlace, type Model } from './forward.ts';
import type { LayerMemory } from './memory.ts';
import { EMBEDDING, OUTPUT_NORM, toTensorName } from './tensorPlan.ts';

/** What a matrix was applied to, as addresses of `count` rows that lie one after the other. */
interface Applied {
  readonly x: number;
  /** Of its result. */
  readonly slope: number;
  readonly count: number;
}

/** Where the gradients of a tensor go. */
export interface GradientSink {
  /** Address to which a vector's gradient is added. */
  vector(name: string): number;
  /** Adds the gradient of a matrix: the slope of its result, transposed, times x. */
  matrix(name: string, applied: Applied): void;
  /** False: the embedding's gradient isn't wanted. */
  readonly hasEmbedding: boolean;
}

/** slope of x (+)= slope of the result times the matrix, whose gradient goes to the sink. */
function applyMatrixBackward(
  model: Model,
  sink: GradientSink,
  name: string,
  parts: { readonly x: number; readonly result: number; readonly slope: number; readonly isAdded?: boolean },
  count: number,
): void {
  const { rows, columns } = findPlace(model, name);
  const { multiply } = model.memory;
  multiply({
    left: { at: parts.result, stride: rows },
    right: { at: activeAt(model, name), stride: columns },
    result: { at: parts.slope, stride: columns },
    rows: count,
    columns,
    inner: rows,
    isAdded: parts.isAdded ?? false,
  });
  sink.matrix(name, { x: parts.x, slope: parts.result, count });
}

function attendBackward({ shape, memory }: Model, layer: LayerMemory, heads: readonly HeadPlace[]): void {
  const { kernels, multiply, slopes } = memory;
  for (const place of heads) {
    const { length } = place.segment;
    const atQuery = (region: { readonly at: number }): Matrix => ({
      at: region.at + place.queryOffset,
      stride: place.queryStride,
    });
    const atKey = (region: { readonly at: number }): Matrix => ({
      at: region.at + place.keyOffset,
      stride: place.keyStride,
    });
    const shares: Matrix = { at: layer.shares.at + place.shareOffset, stride: place.shareStride };
    const shareSlopes: Matrix = { at: slopes.shares.at, stride: place.shareStride };
    const attended = atQuery(slopes.attended);
    const size = { rows: length, columns: shape.headWidth, inner: length };
    multiply({
      left: attended,
      right: atKey(layer.values),
      isRightTransposed: true,
      result: shareSlopes,
      rows: length,
      columns: place.shareStride,
      inner: shape.headWidth,
    });
    multiply({
      ...size,
      left: shares,
      isLeftTransposed: true,
      right: attended,
      result: atKey(slopes.values),
      isAdded: place.isKeyShared,
    });
    kernels.causalSoftmaxBackward(shares.at, shareSlopes.at, length, place.shareStride, toScale(shape));
    multiply({ ...size, left: shareSlopes, right: atKey(layer.keys), result: atQuery(slopes.queries) });
    multiply({
      ...size,
      left: shareSlopes,
      isLeftTransposed: true,
      right: atQuery(layer.queries),
      result: atKey(slopes.keys),
      isAdded: place.isKeyShared,
    });
  }
}

/** `slopes.norm` holds the gradient of `finalNorm`. Gradients are added to what the sink has. */
export function runBackward(model: Model, batch: Batch, heads: readonly HeadPlace[], sink: GradientSink): void {
  const { shape, memory } = model;
  const { kernels, machine, slopes } = memory;
  const count = batch.tokens.length;
  const back = (name: string, x: number, result: number, slope: number, isAdded = false): void =>
    applyMatrixBackward(model, sink, name, { x, result, slope, isAdded }, count);
  const norm = (x: number, name: string, inverses: number): void =>
    kernels.normBackward(
      x,
      activeAt(model, name),
      inverses,
      slopes.norm.at,
      slopes.state.at,
      sink.vector(name),
      count,
      shape.width,
    );
  const rotateBack = (x: number, width: number): void =>
    kernels.rotate(x, memory.angles.at, memory.positions.at, count, width, shape.headWidth, -1);
  machine.floats(slopes.state).fill(0);
  norm(memory.left.at, OUTPUT_NORM, memory.finalInverses.at);
  for (const [index, layer] of [...memory.layers.entries()].reverse()) {
    back(toTensorName(index, 'ffn_down'), layer.gated.at, slopes.state.at, slopes.inner.at);
    kernels.gateBackward(layer.gate.at, layer.up.at, slopes.inner.at, count * shape.innerWidth);
    back(toTensorName(index, 'ffn_gate'), layer.secondNorm.at, layer.gate.at, slopes.norm.at);
    back(toTensorName(index, 'ffn_up'), layer.secondNorm.at, layer.up.at, slopes.norm.at, true);
    norm(layer.between.at, toTensorName(index, 'ffn_norm'), layer.secondInverses.at);
    back(toTensorName(index, 'attn_output'), layer.attended.at, slopes.state.at, slopes.attended.at);
    attendBackward(model, layer, heads);
    rotateBack(slopes.queries.at, shape.heads * shape.headWidth);
    rotateBack(slopes.keys.at, shape.keyHeads * shape.headWidth);
    back(toTensorName(index, 'attn_q'), layer.firstNorm.at, slopes.queries.at, slopes.norm.at);
    back(toTensorName(index, 'attn_k'), layer.firstNorm.at, slopes.keys.at, slopes.norm.at, true);
    back(toTensorName(index, 'attn_v'), layer.firstNorm.at, slopes.values.at, slopes.norm.at, true);
    norm(layer.entered.at, toTensorName(index, 'attn_norm'), layer.firstInverses.at);
  }
  if (!sink.hasEmbedding) return;
  const start = sink.vector(EMBEDDING);
  for (const [row, token] of batch.tokens.entries())
    kernels.addScaled(start + token * shape.width * 4, slopes.state.at + row * shape.width * 4, shape.width, 1);
}
