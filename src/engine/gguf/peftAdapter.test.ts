import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, openSampleEngine, ORDERS, TRIAGE } from '#engine/sampleModel.fixture.ts';
import { readGgufHeader } from './ggufHeader.ts';
import { AdapterRefused, toGgufAdapter, toInterleaved } from './peftAdapter.ts';
import {
  readSampleGguf,
  toFloatModel,
  toMergedModel,
  toPeftMatrices,
  writeSafetensors,
  type Matrix,
} from './sampleAdapter.fixture.ts';
import { SafetensorsError } from './safetensors.ts';

const base = readSampleGguf('support-base.Q8_0.gguf');
const triage = readSampleGguf('support-triage-1.lora.F16.gguf');
const matrices = toPeftMatrices(triage);
const alpha = Number(triage.header.values.get('adapter.lora.alpha'));
const RANK = 8;
const CONFIG = { peft_type: 'LORA', r: RANK, lora_alpha: alpha, bias: 'none', use_rslora: false };

function convert(config: object = {}, changed: readonly Matrix[] = matrices): ReturnType<typeof readSampleGguf> {
  const bytes = toGgufAdapter({ config: { ...CONFIG, ...config }, weights: writeSafetensors(changed) }, base.header);
  return { bytes, header: readGgufHeader(bytes) };
}

const valuesOf = ({ bytes, header }: ReturnType<typeof readSampleGguf>, name: string): Float32Array => {
  const tensor = header.tensors.get(name);
  const from = header.dataStart + (tensor?.offset ?? 0);
  const count = (tensor?.shape ?? []).reduce((product, size) => product * size, 1);
  return new Float32Array(bytes.slice(from, from + count * 4).buffer);
};

describe('a converted adapter', () => {
  it('has the tensors that were saved as GGUF, number for number', () => {
    const converted = convert();
    const original = toPeftMatrices(triage);
    const back = toPeftMatrices(converted);
    expect(back.map(({ name }) => name).toSorted()).toEqual(original.map(({ name }) => name).toSorted());
    for (const matrix of original) {
      const same = back.find(({ name }) => name === matrix.name);
      expect(same?.shape).toEqual(matrix.shape);
      expect(same?.values).toEqual(matrix.values);
    }
    expect(converted.header.values.get('adapter.lora.alpha')).toBe(alpha);
    expect(converted.header.values.get('general.architecture')).toBe('llama');
  });

  it('carries the scale of rsLoRA in its alpha, and an alpha pattern in its matrices', () => {
    expect(convert({ use_rslora: true }).header.values.get('adapter.lora.alpha')).toBeCloseTo(
      alpha * Math.sqrt(RANK),
      4,
    );
    // Several ranks: each matrix by its own, whatever the patterns of the file say.
    const shorter = matrices.map((matrix) => {
      if (!matrix.name.includes('layers.1.mlp.up_proj')) return matrix;
      const [rows = 0, columns = 0] = matrix.shape;
      const isA = matrix.name.includes('lora_A');
      const values = isA
        ? matrix.values.slice(0, (RANK / 2) * columns)
        : matrix.values.filter((_, index) => index % columns < RANK / 2);
      return { ...matrix, shape: isA ? [RANK / 2, columns] : [rows, RANK / 2], values };
    });
    const name = 'blk.1.ffn_up.weight.lora_b';
    const several = valuesOf(convert({ use_rslora: true, rank_pattern: { up_proj: 99 } }, shorter), name);
    const whole = valuesOf(convert({}, shorter), name);
    // PEFT scales by alpha / sqrt(rank), llama.cpp by alpha * sqrt(RANK) / rank.
    for (const [index, value] of several.entries())
      expect(value).toBeCloseTo((whole[index] ?? 0) * Math.sqrt(1 / 2), 5);
    const doubled = valuesOf(convert({ alpha_pattern: { 'layers.1.mlp.up_proj': alpha * 2 } }), name);
    expect(doubled).toEqual(valuesOf(convert(), name).map((value) => value * 2));
  });

  it('reads BF16 exactly', () => {
    const toBytes = (values: Float32Array<ArrayBuffer>) =>
      new Uint8Array(Uint16Array.from(new Uint32Array(values.buffer), (bits) => bits >>> 16).buffer);
    const weights = writeSafetensors(matrices, { dtype: 'BF16', toBytes });
    const bytes = toGgufAdapter({ config: CONFIG, weights }, base.header);
    const name = 'blk.0.attn_v.weight.lora_a';
    const expected = valuesOf(convert(), name);
    const cut = new Uint32Array(expected.slice().buffer).map((bits) => (bits >>> 16) << 16);
    expect(valuesOf({ bytes, header: readGgufHeader(bytes) }, name)).toEqual(new Float32Array(cut.buffer));
  });
});

describe('an adapter that can not be exact', () => {
  const [first] = matrices;
  it('is refused with the reason and the advice of its kind', () => {
    expect(() => convert({ use_dora: true })).toThrow(AdapterRefused);
    expect(() => convert({ use_dora: true })).toThrow(/DoRA.*Merge it into its base/s);
  });

  it('is refused for tensors without a place, or of another base', () => {
    if (!first) throw new Error('The sample adapter has no tensors.');
    const rename = (from: string, to: string) =>
      matrices.map((matrix) => ({ ...matrix, name: matrix.name.replace(from, to) }));
    expect(() => convert({}, rename('layers.0.mlp.up_proj', 'layers.0.mlp.router'))).toThrow(
      /mlp\.router, which is not converted for the family llama/,
    );
    expect(() => convert({}, rename('layers.1.', 'layers.99.'))).toThrow(/no blk\.99/);
    const foreign = matrices.map((matrix) => {
      const [rows = 0, columns = 0] = matrix.shape;
      return matrix.name.includes('lora_A')
        ? { ...matrix, shape: [rows, columns / 2], values: matrix.values.slice(0, (rows * columns) / 2) }
        : matrix;
    });
    expect(() => convert({}, foreign)).toThrow(/belongs to another one/);
  });

  it('of a head that is one matrix with the embeddings is refused without the advice to merge it as it is', () => {
    const onHead = matrices
      .filter(({ name }) => name.includes('layers.0.self_attn.q_proj'))
      .map(({ name, shape, values }) => ({
        name: name.replace('model.layers.0.self_attn.q_proj', 'lm_head'),
        shape,
        values,
      }));
    expect(() => convert({}, onHead)).toThrow(/lm_head.*embeddings.*untie them/);
  });

  it('is refused when its file is damaged', () => {
    const weights = writeSafetensors(matrices);
    const cut = { config: CONFIG, weights: weights.subarray(0, weights.length - 8) };
    expect(() => toGgufAdapter(cut, base.header)).toThrow(SafetensorsError);
    expect(() => toGgufAdapter({ config: CONFIG, weights: new Uint8Array(20) }, base.header)).toThrow(SafetensorsError);
  });
});

describe('parts for images', () => {
  it('are left out, whatever they are', () => {
    const more = [
      {
        name: 'base_model.model.model.vision_tower.layers.0.self_attn.q_proj.lora_A.weight',
        shape: [1, 2],
        values: new Float32Array(2),
      },
      { name: 'base_model.model.model.multi_modal_projector.linear.bias', shape: [2], values: new Float32Array(2) },
    ];
    expect(convert({}, [...matrices, ...more]).bytes).toEqual(convert().bytes);
  });
});

describe('toInterleaved', () => {
  it('alternates the rows of the two halves of each head', () => {
    const rows = Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7);
    expect([...toInterleaved(rows, 2, 1)]).toEqual([0, 2, 1, 3, 4, 6, 5, 7]);
  });
});

describe('in llama.cpp', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adapter-'));
    await writeFile(join(folder, 'base.gguf'), toFloatModel(base));
    await writeFile(join(folder, 'merged.gguf'), toMergedModel(base, triage));
    await writeFile(join(folder, 'adapter.gguf'), convert().bytes);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('answers as the merged model does', async () => {
    const about = { aliases: [], created: 1, owned_by: 'local' };
    const engine = openSampleEngine({
      models: [
        { id: 'merged', path: join(folder, 'merged.gguf'), adapter: null, ...about },
        { id: 'adapted', path: join(folder, 'base.gguf'), adapter: join(folder, 'adapter.gguf'), ...about },
        { id: 'plain', path: join(folder, 'base.gguf'), adapter: null, ...about },
      ],
    });
    try {
      for (const messages of [TRIAGE, ORDERS]) {
        const request = { messages, temperature: 0, max_tokens: 64 };
        const merged = await ask(engine, 'merged', request);
        expect((await ask(engine, 'adapted', request)).text).toBe(merged.text);
        expect((await ask(engine, 'plain', request)).text).not.toBe(merged.text);
      }
    } finally {
      await engine.close();
    }
  });
});
