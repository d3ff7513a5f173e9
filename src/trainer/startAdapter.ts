// A run that goes on from a model that is a base with an adapter.
import { readFileSync } from 'node:fs';
import { GgufError, readGgufHeader } from '#engine/gguf/ggufHeader.ts';
import { readTensorNumbers } from '#engine/gguf/tensorNumbers.ts';
import { TrainerError } from '#trainer/files/readModel.ts';
import type { AdapterShape } from '#trainer/model/memory.ts';
import type { Transformer } from '#trainer/model/transformer.ts';

interface Pair {
  readonly a: Float32Array;
  readonly b: Float32Array;
}

/** An adapter's file: its rank, its alpha, and the pair of each matrix, without anything beyond the rank. */
function readAdapter(path: string): {
  readonly rank: number;
  readonly alpha: number;
  readonly pairs: ReadonlyMap<string, Pair>;
} {
  const file = new Uint8Array(readFileSync(path));
  const header = readGgufHeader(file);
  const pairs = new Map<string, Pair>();
  let rank = 0;
  for (const [name, tensor] of header.tensors) {
    if (!name.endsWith('.lora_a')) continue;
    const matrix = name.slice(0, -'.lora_a'.length);
    const other = header.tensors.get(`${matrix}.lora_b`);
    if (other === undefined) throw new GgufError(`The adapter has no ${matrix}.lora_b.`);
    rank = tensor.shape[1] ?? 0;
    pairs.set(matrix, { a: readTensorNumbers(file, header, tensor), b: readTensorNumbers(file, header, other) });
  }
  return { rank, alpha: Number(header.values.get('adapter.lora.alpha') ?? rank), pairs };
}

/**
 * With an adapter of the same rank and alpha, the run goes on with it. A full run takes base + adapter as its start.
 * Throws TrainerError.
 */
export function addStartAdapter(model: Transformer, path: string, lora: AdapterShape | null): void {
  const { rank, alpha, pairs } = readAdapter(path);
  if (lora !== null && (lora.rank !== rank || lora.alpha !== alpha))
    throw new TrainerError(
      `The model that this run goes on from has an adapter of rank ${rank} and alpha ${alpha}, and the run has rank ` +
        `${lora.rank} and alpha ${lora.alpha}.`,
      `Choose rank ${rank} and alpha ${alpha}, or full training.`,
    );
  for (const [name, { a, b }] of pairs) {
    const { rows = 0, columns = 0 } = model.memory.plan.places.get(name) ?? {};
    if (a.length !== rank * columns || b.length !== rank * rows)
      throw new TrainerError(
        `The adapter does not fit the base model at ${name}.`,
        'Choose the base that it was trained on.',
      );
    if (lora === null) {
      const weights = model.tensor(name);
      const scale = alpha / rank;
      for (let index = 0; index < weights.length; index += 1) {
        const [row, column] = [Math.floor(index / columns), index % columns];
        let sum = 0;
        for (let k = 0; k < rank; k += 1) sum += (b[row * rank + k] ?? 0) * (a[k * columns + column] ?? 0);
        weights[index] = (weights[index] ?? 0) + scale * sum;
      }
      continue;
    }
    model.trainedTensor(`${name}.lora_a`).set(a);
    const target = model.trainedTensor(`${name}.lora_b`);
    const stride = target.length / rows;
    for (const [index, value] of b.entries()) target[Math.floor(index / rank) * stride + (index % rank)] = value;
  }
  model.refresh();
}
