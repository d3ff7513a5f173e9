// The memory of a model and of one pass through it.
import type { ModelShape } from '#trainer/shared/canTrain.ts';
import {
  Arena,
  openMachine,
  openMultiply,
  toPanelCounts,
  type Kernels,
  type Machine,
  type Multiply,
  type Region,
  type SharedMachine,
} from '#trainer/kernel/kernels.ts';
import {
  toAdapterPlan,
  toParts,
  toRankRows,
  toVocabularyRows,
  toWeightPlan,
  type TensorPlace,
  type TensorPlan,
} from './tensorPlan.ts';

export interface AdapterShape {
  readonly rank: number;
  readonly alpha: number;
}

export interface ModelOptions {
  readonly shape: ModelShape;
  /** null: all weights are trained. */
  readonly adapter: AdapterShape | null;
  /** Tokens of a batch, and of its longest row. */
  readonly maxTokens: number;
  readonly maxRow: number;
  /** Threads that each pass batches through the model; missing: one. */
  readonly threads?: number;
}

/** A thread that shares the weights of a model which another one has opened, with the same options. */
export interface Seat {
  readonly shared: SharedMachine;
  /** From 1 on: 0 is the thread that opened the model. */
  readonly thread: number;
}

/** What a layer keeps for the pass backward. Rows are tokens. */
export interface LayerMemory {
  readonly entered: Region;
  readonly firstNorm: Region;
  readonly firstInverses: Region;
  readonly queries: Region;
  readonly keys: Region;
  readonly values: Region;
  readonly shares: Region;
  readonly attended: Region;
  readonly between: Region;
  readonly secondNorm: Region;
  readonly secondInverses: Region;
  readonly gate: Region;
  readonly up: Region;
  readonly gated: Region;
}

/** Weights that AdamW changes, with what it keeps. All have the same length and order. */
export interface Trained {
  readonly plan: TensorPlan;
  readonly weights: Region;
  readonly gradients: Region;
  readonly means: Region;
  readonly squares: Region;
}

/** Slopes of the pass backward; while text is generated, the states of the tokens that come next. */
interface Slopes {
  readonly state: Region;
  readonly norm: Region;
  readonly queries: Region;
  readonly keys: Region;
  readonly values: Region;
  readonly attended: Region;
  readonly inner: Region;
  readonly shares: Region;
}

/** What a thread has for itself: one pass through the model, and the gradients of its batches. */
interface PassMemory {
  readonly gradients: Region;
  readonly layers: readonly LayerMemory[];
  readonly left: Region;
  readonly finalNorm: Region;
  readonly finalInverses: Region;
  readonly tokens: Region;
  readonly positions: Region;
  readonly asked: Region;
  readonly askedSlopes: Region;
  readonly logits: Region;
  readonly targets: Region;
  readonly measures: Region;
  readonly slopes: Slopes;
  /** Of an adapter: the change of one matrix, before it goes into what the passes compute with. */
  readonly matrix: Region;
  /** Of an adapter: rows of tokens, as wide as its rank. */
  readonly byRank: Region;
  /** Tokens whose logits are computed at a time. */
  readonly chunk: number;
  readonly panels: readonly [Region, Region];
}

export interface ModelMemory extends Omit<PassMemory, 'gradients' | 'panels'> {
  readonly machine: Machine;
  readonly kernels: Kernels;
  readonly multiply: Multiply;
  readonly plan: TensorPlan;
  /** The base's weights, as loaded. With an adapter they never change. */
  readonly base: Region;
  /** What the passes compute with: the base, or base + adapter. */
  readonly active: Region;
  readonly trained: Trained;
  /** Of each thread, in their order. */
  readonly gradients: readonly Region[];
  /** What this thread changes of what is trained. */
  readonly part: readonly TensorPlace[];
  readonly angles: Region;
}

/** Kernels write up to so many rows more than there are tokens. */
const SPARE_ROWS = 8;
const MOST_LOGITS = 1 << 20;

/** Numbers for the softmax of a batch: each row of tokens takes its length squared, rounded up, for each head. */
const toShareCount = ({ shape, maxTokens, maxRow }: ModelOptions): number =>
  shape.heads * maxTokens * Math.max(64, maxRow + 16);

function takeLayer(arena: Arena, options: ModelOptions): LayerMemory {
  const { shape } = options;
  const rows = options.maxTokens + SPARE_ROWS;
  const queries = shape.heads * shape.headWidth;
  const keys = shape.keyHeads * shape.headWidth;
  return {
    entered: arena.take(rows * shape.width),
    firstNorm: arena.take(rows * shape.width),
    firstInverses: arena.take(rows),
    queries: arena.take(rows * queries),
    keys: arena.take(rows * keys),
    values: arena.take(rows * keys),
    shares: arena.take(toShareCount(options)),
    attended: arena.take(rows * queries),
    between: arena.take(rows * shape.width),
    secondNorm: arena.take(rows * shape.width),
    secondInverses: arena.take(rows),
    gate: arena.take(rows * shape.innerWidth),
    up: arena.take(rows * shape.innerWidth),
    gated: arena.take(rows * shape.innerWidth),
  };
}

function takePass(arena: Arena, options: ModelOptions, trainedCount: number): PassMemory {
  const { shape, adapter, maxTokens } = options;
  const rows = maxTokens + SPARE_ROWS;
  const vocabulary = toVocabularyRows(shape);
  const queries = shape.heads * shape.headWidth;
  const keys = shape.keyHeads * shape.headWidth;
  const widest = Math.max(shape.width, queries, shape.innerWidth);
  const chunk = Math.max(8, Math.min(maxTokens, Math.floor(MOST_LOGITS / vocabulary / 8) * 8));
  const most = Math.max(rows, widest, adapter === null ? 0 : toRankRows(adapter.rank));
  const [leftPanel, rightPanel] = toPanelCounts(most, Math.max(most, vocabulary), Math.max(most, vocabulary));
  // The gradient of the output matrix: a row for each token of the vocabulary, over the places of a chunk.
  const [outputPanel] = toPanelCounts(vocabulary, shape.width, chunk);
  return {
    gradients: arena.take(trainedCount),
    layers: Array.from({ length: shape.layers }, () => takeLayer(arena, options)),
    left: arena.take(rows * shape.width),
    finalNorm: arena.take(rows * shape.width),
    finalInverses: arena.take(rows),
    tokens: arena.take(rows),
    positions: arena.take(rows),
    asked: arena.take((chunk + SPARE_ROWS) * shape.width),
    askedSlopes: arena.take((chunk + SPARE_ROWS) * shape.width),
    logits: arena.take((chunk + SPARE_ROWS) * vocabulary),
    targets: arena.take(chunk),
    measures: arena.take(chunk * 3),
    slopes: {
      state: arena.take(rows * shape.width),
      norm: arena.take(rows * shape.width),
      queries: arena.take(rows * queries),
      keys: arena.take(rows * keys),
      values: arena.take(rows * keys),
      attended: arena.take(rows * queries),
      inner: arena.take(rows * shape.innerWidth),
      shares: arena.take((Math.ceil(options.maxRow / 8) * 8 + SPARE_ROWS) ** 2),
    },
    matrix: arena.take(adapter === null ? 0 : shape.width * Math.max(queries, shape.innerWidth)),
    byRank: arena.take(adapter === null ? 0 : rows * toRankRows(adapter.rank)),
    chunk,
    panels: [arena.take(Math.max(leftPanel, outputPanel)), arena.take(rightPanel)],
  };
}

/** All threads get the same places from the same options. */
function take(arena: Arena, options: ModelOptions) {
  const { shape, adapter, maxRow, threads = 1 } = options;
  const plan = toWeightPlan(shape);
  const base = arena.take(plan.count);
  const active = adapter === null ? base : arena.take(plan.count);
  const trainedPlan = adapter === null ? plan : toAdapterPlan(shape, adapter.rank);
  const { count } = trainedPlan;
  const weights = adapter === null ? base : arena.take(count);
  const trained = { plan: trainedPlan, weights, means: arena.take(count), squares: arena.take(count) };
  const angles = arena.take(maxRow * shape.headWidth * 2);
  const passes = Array.from({ length: threads }, () => takePass(arena, options, count));
  return { whole: { plan, base, active, angles }, trained, passes };
}

/** Bytes of the kernels' memory for such a model. */
export function toModelBytes(options: ModelOptions): number {
  const arena = new Arena();
  take(arena, options);
  return arena.bytes;
}

/** Cosines and sines of each position, in the order that `rotate` wants. */
function fillAngles(target: Float32Array, { headWidth, ropeBase }: ModelShape): void {
  for (let position = 0; position * headWidth * 2 < target.length; position += 1)
    for (let at = 0; at < headWidth; at += 1) {
      const angle = position * ropeBase ** (-(at - (at % 2)) / headWidth);
      target[position * headWidth * 2 + at] = Math.cos(angle);
      target[position * headWidth * 2 + headWidth + at] = Math.sin(angle) * (at % 2 === 0 ? -1 : 1);
    }
}

/** All numbers are 0 at first, weights too. Throws RangeError if there is not enough memory. */
export function openModelMemory(options: ModelOptions, seat: Seat | null): ModelMemory {
  const arena = new Arena();
  const { whole, trained, passes } = take(arena, options);
  const own = passes[seat?.thread ?? 0];
  if (own === undefined) throw new Error(`There is no thread ${seat?.thread}.`);
  const { gradients, panels, ...pass } = own;
  const machine = openMachine(arena, seat?.shared);
  if (seat === null) fillAngles(machine.floats(whole.angles), options.shape);
  return {
    ...whole,
    ...pass,
    trained: { ...trained, gradients },
    gradients: passes.map((each) => each.gradients),
    part: toParts(trained.plan, passes.length)[seat?.thread ?? 0] ?? [],
    machine,
    kernels: machine.kernels,
    multiply: openMultiply(machine.kernels, ...panels),
  };
}
