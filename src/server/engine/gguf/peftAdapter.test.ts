import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, openSampleEngine, ORDERS, TRIAGE } from '#server/engine/sampleModel.fixture.ts';
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
    const name = 'blk.1.ffn_up.weight.lora_b';
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
  it.each([
    ['DoRA', { use_dora: true }, /use_dora.*Merge the adapter/s],
    ['whole layers', { modules_to_save: ['lm_head'] }, /modules_to_save/],
    ['biases', { bias: 'all' }, /bias/],
    ['another method', { peft_type: 'IA3' }, /IA3/],
    ['a changed base', { init_lora_weights: 'pissa_niter_4' }, /pissa_niter_4/],
    ['rsLoRA with several ranks', { use_rslora: true, rank_pattern: { q_proj: 4 } }, /several ranks/],
    ['an expression as alpha pattern', { alpha_pattern: { '.*q_proj': 4 } }, /expression/],
    ['no rank', { r: 0 }, /above 0 as r/],
  ])('is refused with its reason: %s', (_, config, reason) => {
    expect(() => convert(config)).toThrow(AdapterRefused);
    expect(() => convert(config)).toThrow(reason);
  });

  it('is refused for tensors without a place, of another base, or without their other half', () => {
    if (!first) throw new Error('The sample adapter has no tensors.');
    const renamed = [{ ...first, name: 'base_model.model.lm_head.lora_A.weight' }];
    expect(() => convert({}, renamed)).toThrow(/lm_head.*no place/);
    const foreign = [{ ...first, shape: [first.shape[0] * 2, first.shape[1] / 2] as const }];
    expect(() => convert({}, foreign)).toThrow(/belongs to another one/);
    expect(() => convert({}, [first])).toThrow(/only one of its two/);
    expect(() => convert({}, [])).toThrow(/no tensors/);
  });

  it('is refused when its file is damaged', () => {
    const weights = writeSafetensors(matrices);
    const cut = { config: CONFIG, weights: weights.subarray(0, weights.length - 8) };
    expect(() => toGgufAdapter(cut, base.header)).toThrow(SafetensorsError);
    expect(() => toGgufAdapter({ config: CONFIG, weights: new Uint8Array(20) }, base.header)).toThrow(SafetensorsError);
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
