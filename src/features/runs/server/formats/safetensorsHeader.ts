// The header of a safetensors file: names, types and shapes of its tensors, without the weights.
import { arrayOr, isObject, parseJson } from '#core/contract/readJson.ts';
import { toFinite, toRecord } from './looseJson.ts';

/** Bytes from the start of a file that are read for its header. An adapter's header has some 100 KB. */
export const HEADER_BYTES = 1024 * 1024;

export interface TensorSummary {
  readonly tensors: number;
  readonly parameters: number;
  /** Rank of the LoRA matrices; null: there are none, or of several ranks. */
  readonly loraRank: number | null;
}

/** null: no header, or one that is longer than the bytes. */
export function readSafetensorsHeader(head: Uint8Array): TensorSummary | null {
  if (head.length < 8) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const length = view.getUint32(0, true);
  if (view.getUint32(4, true) !== 0 || length > head.length - 8) return null;
  const header = parseJson(new TextDecoder().decode(head.subarray(8, 8 + length)));
  if (!isObject(header)) return null;
  const ranks = new Set<number>();
  let tensors = 0;
  let parameters = 0;
  for (const [name, about] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const shape = arrayOr(toRecord(about)['shape']).map((size) => toFinite(size) ?? 0);
    tensors += 1;
    parameters += shape.reduce((product, size) => product * size, 1);
    // PEFT: A is [rank, inputs].
    if (/\.lora_A(?:\.[^.]+)?\.weight$/.test(name) && shape[0] !== undefined) ranks.add(shape[0]);
  }
  const [rank = null] = ranks;
  return Number.isSafeInteger(parameters) ? { tensors, parameters, loraRank: ranks.size === 1 ? rank : null } : null;
}
