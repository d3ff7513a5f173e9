// For tests: a sample adapter as PEFT would have saved it, and the sample's base model with the adapter merged in.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { halfToFloat, toFloats } from './floats.ts';
import { readGgufHeader, type GgufHeader, type GgufTensor } from './ggufHeader.ts';
import { samplePath } from '#engine/sampleModel.fixture.ts';

export interface SampleGguf {
  readonly bytes: Uint8Array;
  readonly header: GgufHeader;
}

export function readSampleGguf(file: string): SampleGguf {
  const bytes = new Uint8Array(readFileSync(samplePath(file)));
  return { bytes, header: readGgufHeader(bytes) };
}

export const PEFT_NAMES: Readonly<Record<string, string>> = {
  attn_q: 'self_attn.q_proj',
  attn_k: 'self_attn.k_proj',
  attn_v: 'self_attn.v_proj',
  attn_output: 'self_attn.o_proj',
  ffn_gate: 'mlp.gate_proj',
  ffn_up: 'mlp.up_proj',
  ffn_down: 'mlp.down_proj',
};

export interface Matrix {
  readonly name: string;
  /** PyTorch's order: rows, columns; of a vector its length. */
  readonly shape: readonly number[];
  readonly values: Float32Array<ArrayBuffer>;
}

export const HEADS = 4;

/** Undoes the order of rows that llama.cpp wants of q and k. */
export function toHalves(values: Float32Array<ArrayBuffer>, width: number, heads: number): Float32Array<ArrayBuffer> {
  const half = values.length / width / heads / 2;
  const turned = new Float32Array(values.length);
  for (let head = 0; head < heads; head += 1)
    for (let row = 0; row < half; row += 1)
      for (let side = 0; side < 2; side += 1) {
        const from = (head * 2 * half + row * 2 + side) * width;
        turned.set(values.subarray(from, from + width), ((head * 2 + side) * half + row) * width);
      }
  return turned;
}

export function readValues(
  { bytes, header }: SampleGguf,
  { shape, type, offset }: GgufTensor,
): Float32Array<ArrayBuffer> {
  const count = shape.reduce((product, size) => product * size, 1);
  const from = header.dataStart + offset;
  if (type === 0) return toFloats(bytes.subarray(from, from + count * 4), 'F32');
  if (type === 1) return toFloats(bytes.subarray(from, from + count * 2), 'F16');
  if (type === 30) return toFloats(bytes.subarray(from, from + count * 2), 'BF16');
  if (type !== 8) throw new Error(`The fixture does not read the type ${type}.`);
  // Q8_0: blocks of a half-precision scale and 32 signed bytes.
  const view = new DataView(bytes.buffer, bytes.byteOffset + from);
  return Float32Array.from({ length: count }, (_, index) => {
    const block = Math.floor(index / 32) * 34;
    return halfToFloat(view.getUint16(block, true)) * view.getInt8(block + 2 + (index % 32));
  });
}

/** The matrices of a sample adapter under PEFT's names. */
export function toPeftMatrices(adapter: SampleGguf): readonly Matrix[] {
  return [...adapter.header.tensors.values()].map((tensor) => {
    const [, layer, module = '', side] = /^blk\.(\d+)\.(\w+)\.weight\.lora_([ab])$/.exec(tensor.name) ?? [];
    const [columns = 0, rows = 0] = tensor.shape;
    const values = readValues(adapter, tensor);
    const isTurned = side === 'b' && (module === 'attn_q' || module === 'attn_k');
    return {
      name: `base_model.model.model.layers.${layer}.${PEFT_NAMES[module]}.lora_${String(side).toUpperCase()}.weight`,
      shape: [rows, columns],
      values: isTurned ? toHalves(values, columns, HEADS) : values,
    };
  });
}

/** The bytes of a safetensors file. */
export function writeSafetensors(
  matrices: readonly Matrix[],
  { dtype = 'F32', toBytes = (values: Float32Array<ArrayBuffer>) => new Uint8Array(values.buffer) } = {},
): Uint8Array {
  let at = 0;
  const parts = matrices.map(({ values }) => toBytes(values));
  const entries = matrices.map(({ name, shape }, index) => {
    const from = at;
    at += parts[index]?.byteLength ?? 0;
    return [name, { dtype, shape, data_offsets: [from, at] }] as const;
  });
  const header = new TextEncoder().encode(
    JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(entries) }),
  );
  const length = new Uint8Array(BigUint64Array.of(BigInt(header.byteLength)).buffer);
  return new Uint8Array(Buffer.concat([length, header, ...parts]));
}

/** Lays a sample adapter into a folder as PEFT saves it. */
export function writePeftFolder(folder: string): void {
  const adapter = readSampleGguf('support-triage-1.lora.F16.gguf');
  const lora_alpha = Number(adapter.header.values.get('adapter.lora.alpha'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'adapter_config.json'),
    JSON.stringify({ peft_type: 'LORA', r: 8, lora_alpha, bias: 'none' }),
  );
  writeFileSync(join(folder, 'adapter_model.safetensors'), writeSafetensors(toPeftMatrices(adapter)));
}

/** A copy of a model with all numbers in F32, `change` applied to each tensor. */
export function toFloatModel(
  model: SampleGguf,
  change: (name: string, values: Float32Array<ArrayBuffer>, shape: readonly number[]) => void = () => undefined,
): Uint8Array {
  const { bytes, header } = model;
  const tensors = [...header.tensors.values()];
  const first = Buffer.from(tensors[0]?.name ?? '');
  const mark = Buffer.concat([Buffer.from(BigUint64Array.of(BigInt(first.length)).buffer), first]);
  // The key-value pairs stay as they are, up to the first tensor.
  const head = Buffer.from(bytes).subarray(0, Buffer.from(bytes).indexOf(mark));
  const parts: Uint8Array[] = [head];
  const data: Uint8Array[] = [];
  let offset = 0;
  for (const tensor of tensors) {
    const values = readValues(model, tensor);
    change(tensor.name, values, tensor.shape);
    const name = Buffer.from(tensor.name);
    const counts = BigUint64Array.from([name.length].map(BigInt));
    parts.push(new Uint8Array(counts.buffer), name, new Uint8Array(Uint32Array.of(tensor.shape.length).buffer));
    parts.push(new Uint8Array(BigUint64Array.from(tensor.shape.map(BigInt)).buffer), new Uint8Array(4));
    parts.push(new Uint8Array(BigUint64Array.of(BigInt(offset)).buffer));
    const padded = new Uint8Array(Math.ceil(values.byteLength / 32) * 32);
    padded.set(new Uint8Array(values.buffer));
    data.push(padded);
    offset += padded.byteLength;
  }
  const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return new Uint8Array(Buffer.concat([...parts, new Uint8Array(Math.ceil(length / 32) * 32 - length), ...data]));
}

/** The model in F32 with the adapter's B*A*alpha/rank added to its matrices. */
export function toMergedModel(base: SampleGguf, adapter: SampleGguf): Uint8Array {
  const alpha = Number(adapter.header.values.get('adapter.lora.alpha'));
  return toFloatModel(base, (name, values, [columns = 0, rows = 0]) => {
    const [a, b] = ['a', 'b'].map((side) => adapter.header.tensors.get(`${name}.lora_${side}`));
    if (!a || !b) return;
    const [down, up] = [readValues(adapter, a), readValues(adapter, b)];
    const rank = a.shape[1] ?? 0;
    for (let row = 0; row < rows; row += 1)
      for (let column = 0; column < columns; column += 1) {
        let sum = 0;
        for (let index = 0; index < rank; index += 1)
          sum += (up[row * rank + index] ?? 0) * (down[index * columns + column] ?? 0);
        values[row * columns + column] = (values[row * columns + column] ?? 0) + (sum * alpha) / rank;
      }
  });
}
