// The kernels as functions: one WebAssembly module, made here from our own instructions, and its memory. Addresses are
// bytes, counts are numbers (4 bytes each).
import { setFlagsFromString } from 'node:v8';
import { toModuleBytes } from './assembly.ts';
import { ATTENTION_KERNELS } from './attentionKernels.ts';
import { LAYER_KERNELS } from './layerKernels.ts';
import { LOSS_KERNELS } from './lossKernels.ts';
import { MATRIX_KERNELS, PANEL_COLUMNS, PANEL_ROWS } from './matrixKernels.ts';

type Kernel = (...values: readonly number[]) => void;

/** What each does and takes is said beside its code. */
export interface Kernels {
  readonly packLines: Kernel;
  readonly packColumns: Kernel;
  readonly multiply: Kernel;
  readonly normForward: Kernel;
  readonly normBackward: Kernel;
  readonly rotate: Kernel;
  readonly gateForward: Kernel;
  readonly gateBackward: Kernel;
  readonly addScaled: Kernel;
  readonly causalSoftmax: Kernel;
  readonly causalSoftmaxBackward: Kernel;
  readonly attendOnce: Kernel;
  readonly crossEntropy: Kernel;
  readonly sumSquares: (address: number, count: number) => number;
  readonly adamW: Kernel;
}

const PAGE = 65_536;
/** Kernels may read and write a little beyond the end of a matrix. */
const ALIGNMENT = 64;
const SLACK = 4096;

/** A run of numbers in the kernels' memory. */
export interface Region {
  /** Bytes. */
  readonly at: number;
  /** Numbers of 4 bytes. */
  readonly count: number;
}

/** Hands out memory before the kernels are opened, so that no array over it is ever detached. */
export class Arena {
  #bytes = ALIGNMENT;

  take(count: number): Region {
    const region = { at: this.#bytes, count };
    this.#bytes = Math.ceil((this.#bytes + count * 4) / ALIGNMENT) * ALIGNMENT;
    return region;
  }

  get bytes(): number {
    return this.#bytes + SLACK;
  }
}

/** What threads that compute on the same numbers have in common. It can be sent to them. */
export interface SharedMachine {
  readonly memory: WebAssembly.Memory;
  readonly module: WebAssembly.Module;
}

export interface Machine {
  readonly kernels: Kernels;
  readonly shared: SharedMachine;
  floats(region: Region): Float32Array<SharedArrayBuffer>;
  integers(region: Region): Int32Array<SharedArrayBuffer>;
}

let compiled: WebAssembly.Module | null = null;

/** The same for every machine. */
function compile(): WebAssembly.Module {
  if (compiled === null) {
    const bytes = toModuleBytes([...MATRIX_KERNELS, ...LAYER_KERNELS, ...ATTENTION_KERNELS, ...LOSS_KERNELS]);
    // Node 20 has multiply-add, and hides it behind a flag that counts from the next module on. Later ones don't know the flag.
    if (!WebAssembly.validate(bytes)) setFlagsFromString('--experimental-wasm-relaxed-simd');
    compiled = new WebAssembly.Module(bytes);
  }
  return compiled;
}

function openShared(arena: Arena): SharedMachine {
  const pages = Math.ceil(arena.bytes / PAGE);
  return { memory: new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }), module: compile() };
}

/** `shared`: of another thread, for the same arena. Throws RangeError if there is not enough memory. */
export function openMachine(arena: Arena, shared = openShared(arena)): Machine {
  const { memory, module } = shared;
  const kernels = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Kernels;
  const buffer = memory.buffer as unknown as SharedArrayBuffer;
  return {
    kernels,
    shared,
    floats: ({ at, count }) => new Float32Array(buffer, at, count),
    integers: ({ at, count }) => new Int32Array(buffer, at, count),
  };
}

export interface Matrix {
  /** Bytes. */
  readonly at: number;
  /** Numbers from one row to the next. */
  readonly stride: number;
}

export interface Product {
  readonly left: Matrix;
  readonly isLeftTransposed?: boolean;
  readonly right: Matrix;
  readonly isRightTransposed?: boolean;
  readonly result: Matrix;
  readonly rows: number;
  /** A multiple of 8. */
  readonly columns: number;
  readonly inner: number;
  /** Adds to the result instead of writing over it. */
  readonly isAdded?: boolean;
}

/** Long sums are cut, so that the panels stay in the first-level cache. */
const MOST_INNER = 512;
/** Wide results are made in parts: the panels of a matrix with a row for each token of a vocabulary would be as large as it is. */
const MOST_COLUMNS = 2048;

const roundUp = (count: number, step: number): number => Math.ceil(count / step) * step;

/** Numbers that the panels of a product need at most: [left, right]. */
export const toPanelCounts = (rows: number, columns: number, inner: number): readonly [number, number] => {
  const depth = Math.min(inner, MOST_INNER);
  return [roundUp(rows, PANEL_ROWS) * depth, roundUp(Math.min(columns, MOST_COLUMNS), PANEL_COLUMNS) * depth];
};

/** result (+)= left x right. Rows of the result are written up to the next multiple of 4. */
export type Multiply = (product: Product) => void;

export function openMultiply(kernels: Kernels, leftPanels: Region, rightPanels: Region): Multiply {
  return ({ left, isLeftTransposed, right, isRightTransposed, result, rows, columns, inner, isAdded }) => {
    const leftCount = roundUp(rows, PANEL_ROWS);
    const packLeft = isLeftTransposed ? kernels.packColumns : kernels.packLines;
    const packRight = isRightTransposed ? kernels.packLines : kernels.packColumns;
    const leftStep = isLeftTransposed ? left.stride : 1;
    const [rightStep, rightLine] = isRightTransposed ? [1, right.stride] : [right.stride, 1];
    for (let from = 0; from < inner; from += MOST_INNER) {
      const depth = Math.min(MOST_INNER, inner - from);
      packLeft(left.at + from * leftStep * 4, leftPanels.at, leftCount, depth, left.stride, PANEL_ROWS);
      const adds = isAdded || from > 0 ? 1 : 0;
      for (let column = 0; column < columns; column += MOST_COLUMNS) {
        const count = Math.min(MOST_COLUMNS, columns - column);
        const rightAt = right.at + (from * rightStep + column * rightLine) * 4;
        packRight(rightAt, rightPanels.at, count, depth, right.stride, PANEL_COLUMNS);
        const resultAt = result.at + column * 4;
        kernels.multiply(leftPanels.at, rightPanels.at, resultAt, rows, count, depth, result.stride, adds);
      }
    }
  };
}
