// Whole models and adapters of runs as GGUF files: served, and downloaded.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GgufQuery } from '#features/serving/shared/serving.ts';
import { GGML_TYPES, readGgufHeader } from '#engine/gguf/ggufHeader.ts';
import { readSampleGguf, readValues, writeSafetensors } from '#engine/gguf/sampleAdapter.fixture.ts';
import { toSampleHf } from '#engine/gguf/sampleHf.fixture.ts';
import { ask, openSampleEngine, REPLIES, samplePath } from '#engine/sampleModel.fixture.ts';
import { BASE, REQUEST, useServedFolder } from './served.fixture.ts';
import type { FoundCheckpoint } from './foundCheckpoint.ts';
import type { Serving } from './serving.ts';

const folder = useServedFolder();
const { open, checkpoint } = folder;

describe('a whole model of a run', () => {
  const full = (about: Partial<FoundCheckpoint> = {}): FoundCheckpoint =>
    checkpoint({ path: 'full', kind: 'full', rank: null, ...about });

  async function take(
    serving: Serving,
    weights: FoundCheckpoint,
    query: Omit<GgufQuery, 'checkpoint'>,
  ): Promise<Buffer> {
    const { pieces, close } = await serving.take(weights, { checkpoint: weights.path, ...query });
    const all: Uint8Array[] = [];
    for await (const piece of pieces) all.push(piece);
    await close();
    return Buffer.concat(all);
  }

  const toBf16 = (value: number): number => {
    const box = Float32Array.of(value);
    const bits = new Uint32Array(box.buffer);
    bits[0] = (bits[0] ?? 0) & 0xffff_0000;
    return box[0] ?? 0;
  };

  const toHalfBytes = (values: Float32Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
    new Uint8Array(Uint16Array.from(new Uint32Array(values.buffer), (bits) => bits >>> 16).buffer);

  /** A copy of the whole model with numbers of 16 bits. */
  async function saveHalves(path: string): Promise<FoundCheckpoint> {
    await cp(join(folder.root, 'full'), join(folder.root, path), { recursive: true });
    const { matrices } = toSampleHf(readSampleGguf('support-replies-1.Q8_0.gguf'));
    await writeFile(
      join(folder.root, path, 'model.safetensors'),
      writeSafetensors(matrices, { dtype: 'BF16', toBytes: toHalfBytes }),
    );
    await rm(join(folder.root, path, 'model.safetensors.index.json'));
    return full({ path });
  }
  beforeAll(async () => {
    const model = toSampleHf(readSampleGguf('support-replies-1.Q8_0.gguf'));
    const at = join(folder.root, 'full');
    await mkdir(at);
    for (const [name, content] of [
      ['config.json', model.config],
      ['tokenizer.json', model.tokenizer],
      ['tokenizer_config.json', model.tokenizerConfig],
    ] as const)
      await writeFile(join(at, name), JSON.stringify(content));
    await writeFile(join(at, 'chat_template.jinja'), model.chatTemplate);
    // In two files, as large models are.
    const half = Math.ceil(model.matrices.length / 2);
    const parts = [model.matrices.slice(0, half), model.matrices.slice(half)];
    const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
    const weight_map = Object.fromEntries(
      parts.flatMap((part, index) => part.map(({ name }) => [name, names[index]] as const)),
    );
    await writeFile(join(at, 'model.safetensors.index.json'), JSON.stringify({ weight_map }));
    for (const [index, part] of parts.entries()) await writeFile(join(at, names[index] ?? ''), writeSafetensors(part));
  });

  it('is converted by one click, and answers as the same model that was made elsewhere', async () => {
    const serving = await open();
    expect((await serving.offer(full())).ways[0]).toEqual({
      way: 'llama',
      title: 'llama.cpp in this studio',
      reason: null,
    });
    const id = await serving.serve(full(), { checkpoint: 'full', way: 'llama' });
    const [file, ...others] = await serving.listModelFiles();
    expect([file?.id, file?.adapter, others]).toEqual([id, null, []]);
    const engine = openSampleEngine({
      models: [...(file ? [file] : []), { ...BASE, id: 'made', path: samplePath('support-replies-1.Q8_0.gguf') }],
    });
    try {
      const request = { messages: REPLIES, temperature: 0, max_completion_tokens: 32 };
      expect((await ask(engine, id, request)).text).toBe((await ask(engine, 'made', request)).text);
    } finally {
      await engine.close();
    }
  });

  it('leaves as a GGUF file with the numbers that were saved, or as Q8_0, before and after it is served', async () => {
    const serving = await open();
    const offered = (await serving.offer(full())).files;
    expect(offered.map(({ form, type, name }) => [form, type, name])).toEqual([
      ['saved', 'F32', 'Tickets.F32.gguf'],
      ['q8_0', 'Q8_0', 'Tickets.Q8_0.gguf'],
    ]);
    await serving.serve(full(), { checkpoint: 'full', way: 'llama' });
    expect((await serving.offer(full())).files).toEqual(offered);
    const [saved, small] = await Promise.all(offered.map(({ form }) => take(serving, full(), { form })));
    expect([saved?.length, small?.length]).toEqual(offered.map(({ bytes }) => bytes));
    const long = full({ runLabel: 'a'.repeat(90) });
    const { files } = await serving.offer(long);
    expect((await take(serving, long, { form: 'saved' })).length).toBe(files[0]?.bytes);
    const [served] = await serving.listModelFiles();
    expect(small?.equals(await readFile(served?.path ?? ''))).toBe(true);
    const original = toSampleHf(readSampleGguf('support-replies-1.Q8_0.gguf'));
    const bytes = new Uint8Array(saved ?? []);
    const header = readGgufHeader(bytes);
    const down = header.tensors.get('blk.0.ffn_down.weight');
    if (!down) throw new Error('There is no ffn_down.');
    const expected = original.matrices.find(({ name }) => name === 'model.layers.0.mlp.down_proj.weight')?.values;
    expect(readValues({ bytes, header }, down)).toEqual(expected);
  });

  it('leaves in BF16 as it was saved, the rows of q and k in llama.cpp’s order', async () => {
    const half = await saveHalves('bf16');
    const serving = await open();
    const { files, ways } = await serving.offer(half);
    expect(files.map(({ name }) => name)).toEqual(['Tickets.BF16.gguf', 'Tickets.Q8_0.gguf']);
    expect(ways.map(({ command }) => command)).toContain('llama-quantize Tickets.BF16.gguf Tickets.Q4_K_M.gguf Q4_K_M');
    const bytes = new Uint8Array(await take(serving, half, { form: 'saved' }));
    expect(bytes.length).toBe(files[0]?.bytes);
    const header = readGgufHeader(bytes);
    expect(header.values.get('general.file_type')).toBe(32);
    const sample = readSampleGguf('support-replies-1.Q8_0.gguf');
    for (const name of ['blk.0.attn_q.weight', 'blk.0.ffn_up.weight', 'blk.0.attn_norm.weight']) {
      const [own, other] = [header.tensors.get(name), sample.header.tensors.get(name)];
      if (!own || !other) throw new Error(`There is no ${name}.`);
      expect(own.type).toBe(name.includes('norm') ? GGML_TYPES.F32 : GGML_TYPES.BF16);
      expect(readValues({ bytes, header }, own)).toEqual(readValues(sample, other).map(toBf16));
    }
  });

  it('is not sent where it can’t be converted, nor smaller where it is an adapter', async () => {
    const serving = await open();
    expect((await serving.offer(full({ isComplete: false }))).files).toEqual([]);
    await expect(serving.take(full({ isComplete: false }), { checkpoint: 'full', form: 'saved' })).rejects.toThrow(
      /not complete/,
    );
    const query = { checkpoint: 'run', form: 'q8_0', base_model_id: 'support-base' } as const;
    await expect(serving.take(checkpoint(), query)).rejects.toThrow(/Only whole models/);
    await expect(serving.take(checkpoint(), { checkpoint: 'run', form: 'saved' })).rejects.toThrow(
      /Choose another base/,
    );
  });

  it('an adapter leaves for a base that is chosen, or the one that it is served on', async () => {
    const serving = await open();
    expect((await serving.offer(checkpoint())).files).toEqual([
      { form: 'saved', type: 'adapter', name: 'Tickets.lora.gguf', bytes: null },
    ]);
    const chosen = await take(serving, checkpoint(), { form: 'saved', base_model_id: 'support-base' });
    await serving.serve(checkpoint(), REQUEST);
    const [served] = await serving.listModelFiles();
    expect(chosen.equals(await readFile(served?.adapter ?? ''))).toBe(true);
    expect((await take(serving, checkpoint(), { form: 'saved' })).equals(chosen)).toBe(true);
    const { files, ways } = await serving.offer(checkpoint());
    expect(files).toHaveLength(1);
    expect(ways[0]?.command).toMatch(
      /^llama-export-lora -m .*support-base\.Q8_0\.gguf --lora .*\.gguf -o Tickets\.merged\.gguf$/,
    );
  });

  it('a GGUF file in the folder of a run leaves as it is', async () => {
    const gguf = checkpoint({ path: 'run/own.gguf', kind: 'gguf', modelId: 'runs/Tickets' });
    await cp(BASE.path, join(folder.root, 'run', 'own.gguf'));
    const serving = await open();
    const { files } = await serving.offer(gguf);
    const bytes = await readFile(BASE.path);
    expect(files).toEqual([{ form: 'saved', type: 'GGUF', name: 'own.gguf', bytes: bytes.length }]);
    expect((await take(serving, gguf, { form: 'saved' })).equals(bytes)).toBe(true);
    await rm(join(folder.root, 'run', 'own.gguf'));
    expect((await serving.offer(gguf)).files).toEqual([]);
  });

  it('that can’t be converted is said before the click, with the command that can', async () => {
    await writeFile(join(folder.root, 'full', 'config.json'), JSON.stringify({ model_type: 'mamba' }));
    const { ways } = await (await open()).offer(full());
    expect(ways[0]?.reason).toMatch(/model_type is mamba/);
    expect(ways.map(({ command }) => command)).toContainEqual(expect.stringContaining('convert_hf_to_gguf.py'));
  });
});
