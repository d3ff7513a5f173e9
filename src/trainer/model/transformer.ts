// A model in memory: loss and gradients of a batch, logits, and its weights.
import type { Product } from '#trainer/kernel/kernels.ts';
import { runBackward, type GradientSink } from './backward.ts';
import type { Batch } from './batch.ts';
import { activeAt, copyRows, outputName, runForward, toHeads, type HeadPlace, type Model } from './forward.ts';
import { openModelMemory, type AdapterShape, type ModelOptions, type Seat, type Trained } from './memory.ts';
import { ADAPTER_ENDS, findTensor, toRankRows, toVocabularyRows, type TensorPlace } from './tensorPlan.ts';

export interface Measured {
  /** Sum of the cross entropies of the targets, in nats. */
  readonly lossSum: number;
  /** The cross entropy of each target, in nats. */
  readonly losses: Float32Array;
  /** For each target whether the model finds it the likeliest token. */
  readonly isFirst: Uint8Array;
}

export interface Transformer extends Model {
  readonly trained: Trained;
  /** The numbers of a base's tensor; rows of the embedding beyond the vocabulary are 0. */
  tensor(name: string): Float32Array;
  /** What the passes compute with: the base's tensor, with the adapter in it if there is one. */
  mergedTensor(name: string): Float32Array;
  /** The same of what is trained: weights, or the pairs of the adapter. */
  trainedTensor(name: string): Float32Array;
  /** Makes base + adapter what the passes compute with. To be called after either changed. */
  refresh(): void;
  /** The same after the adapter has changed in this thread's part of the numbers. */
  refreshPart(): void;
  /** Sets all gradients to 0. */
  clearGradients(): void;
  /** Adds gradients of `factor` times the sum of the losses. Returns the sum, in nats. */
  train(batch: Batch, factor: number): number;
  /** The same with a factor for each target, which `toFactors` gives once it knows the losses. */
  trainEach(batch: Batch, toFactors: (losses: Float32Array) => Float32Array): void;
  measure(batch: Batch): Measured;
  /** The likeliest token at each place that the batch asks for. */
  likeliest(batch: Batch): Int32Array;
  /** Logits after each token of the batch, one row of `vocabulary` numbers for each. A copy. */
  logits(batch: Batch): Float32Array;
}

function toTensorView(model: Model, region: { readonly at: number }, place: TensorPlace): Float32Array {
  return model.memory.machine.floats({ at: region.at + place.offset * 4, count: place.rows * place.columns });
}

function openSink(model: Model, adapter: ModelOptions['adapter']): GradientSink {
  const { memory } = model;
  const { trained, kernels, multiply, byRank } = memory;
  const find = (name: string): TensorPlace => findTensor(trained.plan, name);
  const gradientAt = (name: string): number => trained.gradients.at + find(name).offset * 4;
  if (adapter === null)
    return {
      vector: gradientAt,
      matrix(name, { x, slope, count }) {
        const { rows, columns } = find(name);
        multiply({
          left: { at: slope, stride: rows },
          isLeftTransposed: true,
          right: { at: x, stride: columns },
          result: { at: gradientAt(name), stride: columns },
          rows,
          columns,
          inner: count,
          isAdded: true,
        });
      },
      hasEmbedding: true,
    };
  const rank = toRankRows(adapter.rank);
  const scale = adapter.alpha / adapter.rank;
  const lowered = { at: byRank.at, stride: rank };
  return {
    // Norms are not trained, so their gradients go where nobody looks.
    vector: () => memory.matrix.at,
    // Never the whole matrix's gradient: what goes through the rank is a fraction of it.
    matrix(name, { x, slope, count }) {
      const [a, b] = [find(`${name}.lora_a`), find(`${name}.lora_b`)];
      const entered = { at: x, stride: a.columns };
      const slopes = { at: slope, stride: b.rows };
      const weights = ({ offset, columns }: TensorPlace) => ({ at: trained.weights.at + offset * 4, stride: columns });
      const gradients = ({ name, columns }: TensorPlace) => ({ at: gradientAt(name), stride: columns });
      const lower = (product: Pick<Product, 'left' | 'right' | 'isRightTransposed' | 'inner'>): void => {
        multiply({ ...product, result: lowered, rows: count, columns: rank });
        kernels.addScaled(byRank.at, byRank.at, count * rank, scale - 1);
      };
      const sum = { isLeftTransposed: true, inner: count, isAdded: true };
      lower({ left: entered, right: weights(a), isRightTransposed: true, inner: a.columns });
      multiply({ ...sum, left: slopes, right: lowered, result: gradients(b), rows: b.rows, columns: rank });
      lower({ left: slopes, right: weights(b), inner: b.rows });
      multiply({ ...sum, left: lowered, right: entered, result: gradients(a), rows: rank, columns: a.columns });
    },
    hasEmbedding: false,
  };
}

/** What the passes compute with = base + alpha / rank * b x a, for the matrices of some pairs. */
function addAdapter({ memory }: Model, adapter: AdapterShape, pairs: readonly TensorPlace[]): void {
  const { trained, machine, plan, base, active } = memory;
  const rank = toRankRows(adapter.rank);
  const [a, b] = ADAPTER_ENDS;
  for (const { name, offset, columns } of pairs) {
    if (!name.endsWith(a)) continue;
    const whole = findTensor(plan, name.slice(0, -a.length));
    const other = findTensor(trained.plan, `${whole.name}${b}`);
    memory.multiply({
      left: { at: trained.weights.at + other.offset * 4, stride: rank },
      right: { at: trained.weights.at + offset * 4, stride: columns },
      result: { at: memory.matrix.at, stride: columns },
      rows: whole.rows,
      columns,
      inner: rank,
    });
    const count = whole.rows * columns;
    const target = active.at + whole.offset * 4;
    machine.floats({ at: target, count }).set(machine.floats({ at: base.at + whole.offset * 4, count }));
    memory.kernels.addScaled(target, memory.matrix.at, count, adapter.alpha / adapter.rank);
  }
}

/** The logits of the places that a batch asks for, from the index `from` on, as many as there is room for. Returns how many. */
function askLogits(model: Model, batch: Batch, from: number): number {
  const { memory, shape } = model;
  const { width } = shape;
  const places = batch.askedAt.subarray(from, from + memory.chunk);
  for (const [row, place] of places.entries())
    copyRows(model, memory.asked.at + row * width * 4, memory.finalNorm.at + place * width * 4, width);
  memory.multiply({
    left: { at: memory.asked.at, stride: width },
    right: { at: activeAt(model, outputName(model)), stride: width },
    isRightTransposed: true,
    result: { at: memory.logits.at, stride: toVocabularyRows(shape) },
    rows: places.length,
    columns: toVocabularyRows(shape),
    inner: width,
  });
  return places.length;
}

/** The index of the greatest logit of each place that a batch asks for. */
function findLikeliest(model: Model, batch: Batch): Int32Array {
  const { memory, shape } = model;
  const found = new Int32Array(batch.askedAt.length);
  const stride = toVocabularyRows(shape);
  const logits = memory.machine.floats(memory.logits);
  for (let from = 0; from < found.length; from += memory.chunk) {
    const rows = askLogits(model, batch, from);
    for (let row = 0; row < rows; row += 1) {
      let best = 0;
      for (let token = 1; token < shape.vocabulary; token += 1)
        if ((logits[row * stride + token] ?? 0) > (logits[row * stride + best] ?? 0)) best = token;
      found[from + row] = best;
    }
  }
  return found;
}

/** The cross entropies of `rows` targets from the index `from` on, and their gradients in the place of their logits. */
function runCrossEntropy({ memory, shape }: Model, factors: Float32Array, from: number, rows: number): void {
  const stride = toVocabularyRows(shape);
  let end = 0;
  // Each call has one factor.
  for (let at = 0; at < rows; at = end) {
    const factor = factors[from + at] ?? 0;
    end = at + 1;
    while (end < rows && factors[from + end] === factor) end += 1;
    const [logits, targets] = [memory.logits.at + at * stride * 4, memory.targets.at + at * 4];
    memory.kernels.crossEntropy(
      logits,
      targets,
      memory.measures.at + at * 12,
      end - at,
      shape.vocabulary,
      stride,
      factor,
    );
  }
}

/**
 * The loss of the targets, a bounded number of logits at a time. With a sink, leaves the gradient of each token's last
 * norm in `slopes.norm`, and adds that of the output matrix.
 */
function runLoss(model: Model, batch: Batch, factors: Float32Array, sink: GradientSink | null): Measured {
  const { memory, shape } = model;
  const { machine, multiply, chunk } = memory;
  const width = shape.width;
  const stride = toVocabularyRows(shape);
  const output = { at: activeAt(model, outputName(model)), stride: width };
  const logits = { at: memory.logits.at, stride };
  const measures = machine.floats(memory.measures);
  const targets = machine.integers(memory.targets);
  const isFirst = new Uint8Array(batch.targets.length);
  const losses = new Float32Array(batch.targets.length);
  let lossSum = 0;
  if (sink !== null) machine.floats(memory.slopes.norm).fill(0);
  for (let from = 0; from < batch.targets.length; from += chunk) {
    const places = batch.askedAt.subarray(from, from + chunk);
    const rows = askLogits(model, batch, from);
    targets.set(batch.targets.subarray(from, from + chunk));
    runCrossEntropy(model, factors, from, rows);
    for (let row = 0; row < rows; row += 1) {
      const [greatest = 0, sum = 0, own = 0] = measures.subarray(row * 3, row * 3 + 3);
      const loss = Math.log(sum) + greatest - own;
      lossSum += loss;
      losses[from + row] = loss;
      isFirst[from + row] = own === greatest ? 1 : 0;
    }
    if (sink === null) continue;
    const slopes = { at: memory.askedSlopes.at, stride: width };
    multiply({ left: logits, right: output, result: slopes, rows, columns: width, inner: stride });
    for (const [row, place] of places.entries())
      copyRows(model, memory.slopes.norm.at + place * width * 4, slopes.at + row * width * 4, width);
    if (!sink.hasEmbedding) continue;
    sink.matrix(outputName(model), { x: memory.asked.at, slope: logits.at, count: rows });
  }
  return { lossSum, losses, isFirst };
}

const toFactors = ({ targets }: Batch, factor: number): Float32Array => new Float32Array(targets.length).fill(factor);

/**
 * All weights are 0 until they are set. With a seat it is a model that another thread has opened. Throws RangeError if there
 * is not enough memory.
 */
export function openTransformer(options: ModelOptions, seat: Seat | null = null): Transformer {
  const memory = openModelMemory(options, seat);
  const { shape } = options;
  const model: Model = { shape, memory };
  const sink = openSink(model, options.adapter);
  const forward = (batch: Batch): readonly HeadPlace[] => {
    const heads = toHeads(shape, batch.segments);
    runForward(model, batch, heads);
    return heads;
  };
  return {
    ...model,
    trained: memory.trained,
    tensor: (name) => toTensorView(model, memory.base, findTensor(memory.plan, name)),
    mergedTensor: (name) => toTensorView(model, memory.active, findTensor(memory.plan, name)),
    trainedTensor: (name) => toTensorView(model, memory.trained.weights, findTensor(memory.trained.plan, name)),
    refresh() {
      if (options.adapter === null) return;
      memory.machine.floats(memory.active).set(memory.machine.floats(memory.base));
      addAdapter(model, options.adapter, [...memory.trained.plan.places.values()]);
    },
    refreshPart() {
      if (options.adapter !== null) addAdapter(model, options.adapter, memory.part);
    },
    clearGradients() {
      memory.machine.floats(memory.trained.gradients).fill(0);
    },
    train(batch, factor) {
      const heads = forward(batch);
      const { lossSum } = runLoss(model, batch, toFactors(batch, factor), sink);
      runBackward(model, batch, heads, sink);
      return lossSum;
    },
    trainEach(batch, toEach) {
      const heads = forward(batch);
      const { losses } = runLoss(model, batch, toFactors(batch, 1), null);
      runLoss(model, batch, toEach(losses), sink);
      runBackward(model, batch, heads, sink);
    },
    measure(batch) {
      forward(batch);
      return runLoss(model, batch, toFactors(batch, 1), null);
    },
    likeliest(batch) {
      forward(batch);
      return findLikeliest(model, batch);
    },
    logits(batch) {
      forward(batch);
      const count = batch.tokens.length;
      const found = new Float32Array(count * shape.vocabulary);
      const stride = toVocabularyRows(shape);
      const rows = memory.machine.floats(memory.logits);
      for (let from = 0; from < count; from += memory.chunk) {
        const size = Math.min(memory.chunk, count - from);
        memory.multiply({
          left: { at: memory.finalNorm.at + from * shape.width * 4, stride: shape.width },
          right: { at: activeAt(model, outputName(model)), stride: shape.width },
          isRightTransposed: true,
          result: { at: memory.logits.at, stride },
          rows: size,
          columns: stride,
          inner: shape.width,
        });
        for (let row = 0; row < size; row += 1)
          found.set(rows.subarray(row * stride, row * stride + shape.vocabulary), (from + row) * shape.vocabulary);
      }
      return found;
    },
  };
}
