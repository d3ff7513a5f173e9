// What is known of weights before they are served, and after somebody has changed them.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GgufQuery } from '#shared/contract/serving.ts';
import { GGML_TYPES, readGgufHeader } from '#server/engine/gguf/ggufHeader.ts';
import {
  readSampleGguf,
  readValues,
  toPeftMatrices,
  writeSafetensors,
} from '#server/engine/gguf/sampleAdapter.fixture.ts';
import { toSampleHf } from '#server/engine/gguf/sampleHf.fixture.ts';
import { ask, openSampleEngine, REPLIES, samplePath, TRIAGE } from '#server/engine/sampleModel.fixture.ts';
import { nearFiles, type Files } from '#server/files/files.ts';
import type { EngineLoader } from './engineLoader.ts';
import { BASE, REQUEST, RUN, useServedFolder } from './served.fixture.ts';
import type { FoundCheckpoint, Serving } from './serving.ts';

const folder = useServedFolder();
const { open, checkpoint } = folder;

describe('weights that somebody trained again into the same folder', () => {
  let path: string;
  let base: string;
  let number = 0;
  beforeEach(async () => {
    number += 1;
    path = `again-${number}`;
    base = join(folder.data, 'base.gguf');
    await cp(join(folder.root, 'run'), join(folder.root, path), { recursive: true });
    await cp(BASE.path, base);
  });
  const openOnCopy = () => open({ listBases: async () => [{ ...BASE, path: base }] });
  const slowFiles: Files = {
    ...nearFiles,
    async find(at) {
      await wait(250);
      return nearFiles.find(at);
    },
  };
  const change = async (file: string, alter: (text: string) => string): Promise<void> => {
    const at = join(folder.root, path, file);
    await writeFile(at, alter(await readFile(at, 'utf8')));
  };

  it('are seen also on a slow disk before somebody chats with them; a list of models does not wait', async () => {
    const serving = await open({ files: slowFiles, listBases: async () => [{ ...BASE, path: base }] });
    const id = await serving.serve(checkpoint({ path }), { ...REQUEST, checkpoint: path });
    await change('adapter_config.json', (text) => `${text}\n`);
    expect((await serving.listModelFiles()).map((model) => model.id)).toEqual([id]);
    expect(await serving.findServed(RUN, path)).toMatchObject({ model_id: null });
    expect((await serving.offer(checkpoint({ path }))).model_id).toBeNull();
  });

  it('are said to have changed, and converted again as the same model', async () => {
    const serving = await openOnCopy();
    const id = await serving.serve(checkpoint({ path }), { ...REQUEST, checkpoint: path });
    const [before] = await serving.listModelFiles();
    const orders = toPeftMatrices(readSampleGguf('support-orders-1.lora.F16.gguf'));
    await writeFile(join(folder.root, path, 'adapter_model.safetensors'), writeSafetensors(orders));
    expect(await serving.findServed(RUN, path)).toMatchObject({
      model_id: null,
      served: { problem: expect.stringMatching(/weights or settings have changed.*Press Try/) },
    });
    // A list does not wait for a slow disk.
    await expect.poll(() => serving.listModelFiles()).toEqual([]);
    expect((await serving.offer(checkpoint({ path }))).model_id).toBeNull();
    expect(await serving.serve(checkpoint({ path }), { ...REQUEST, checkpoint: path })).toBe(id);
    const [after] = await serving.listModelFiles();
    expect(after?.adapter).not.toBe(before?.adapter);
    // The old file is needed no more.
    expect(await readdir(join(folder.data, 'adapters'))).toHaveLength(1);
  });

  it.each([
    [
      'another alpha',
      async () => change('adapter_config.json', (text) => text.replace('"lora_alpha"', '"lora_alpha":1,"was"')),
    ],
    ['another chat template', async () => writeFile(join(folder.root, path, 'chat_template.jinja'), '{{ messages }}')],
  ])('are changed by %s, too', async (_, alter) => {
    const serving = await openOnCopy();
    await serving.serve(checkpoint({ path }), { ...REQUEST, checkpoint: path });
    await alter();
    expect((await serving.findServed(RUN, path))?.served.problem).toMatch(/have changed/);
  });

  it('are not changed by what a trainer writes beside them, and answer on when they are deleted', async () => {
    const serving = await openOnCopy();
    await serving.serve(checkpoint({ path }), { ...REQUEST, checkpoint: path });
    await writeFile(join(folder.root, path, 'trainer_state.json'), '{}');
    expect((await serving.findServed(RUN, path))?.served.problem).toBeUndefined();
    await rm(join(folder.root, path), { recursive: true });
    expect((await serving.findServed(RUN, path))?.served.problem).toBeUndefined();
  });

  it('are another model’s on a base that was replaced', async () => {
    const serving = await openOnCopy();
    await serving.serve(checkpoint({ path }), { ...REQUEST, checkpoint: path });
    await cp(samplePath('support-replies-1.Q8_0.gguf'), base);
    expect((await serving.findServed(RUN, path))?.served.problem).toMatch(/base model has changed/);
  });

  it('are loaded again by an engine', async () => {
    let loads = 0;
    const engine: EngineLoader = {
      readKind: async () => 'vllm',
      load: async ({ name }) => {
        loads += 1;
        return name;
      },
      unload: async () => undefined,
    };
    const serving = await open({ engine });
    const request = { checkpoint: path, way: 'engine', base_model_id: 'qwen3' } as const;
    const id = await serving.serve(checkpoint({ path }), request);
    expect([await serving.serve(checkpoint({ path }), request), loads]).toEqual([id, 1]);
    await change('adapter_config.json', (text) => `${text} `);
    expect((await serving.findServed(RUN, path))?.served.problem).toMatch(/Press Try to load it again/);
    expect([await serving.serve(checkpoint({ path }), request), loads]).toEqual([id, 2]);
  });

  it('are served anew where an earlier version of the studio kept no marks', async () => {
    const old = { id: 'a', run_id: RUN, checkpoint: path, way: 'llama', base, adapter: base, created: 1 };
    await writeFile(join(folder.data, 'served-models.json'), JSON.stringify([old]));
    const serving = await openOnCopy();
    expect((await serving.findServed(RUN, path))?.served.problem).toMatch(/earlier version/);
    expect(await serving.listModelFiles()).toEqual([]);
  });
});

describe('before anything is converted', () => {
  const engine: EngineLoader = {
    readKind: async () => 'vllm',
    load: async ({ name }) => name,
    unload: async () => undefined,
  };
  const CONFIG = { peft_type: 'LORA', r: 8, lora_alpha: 16 };
  let number = 0;

  /** A copy of the run with other files. */
  async function change(files: Readonly<Record<string, unknown>>): Promise<FoundCheckpoint> {
    number += 1;
    const path = `judged-${number}`;
    await cp(join(folder.root, 'run'), join(folder.root, path), { recursive: true });
    for (const [name, content] of Object.entries(files))
      await writeFile(join(folder.root, path, name), typeof content === 'string' ? content : JSON.stringify(content));
    return checkpoint({ path });
  }

  it('every way says what an adapter is that none can run', async () => {
    const changed = await change({ 'adapter_config.json': { ...CONFIG, init_lora_weights: 'pissa' } });
    const serving = await open({ engine });
    const { ways } = await serving.offer(changed);
    expect(ways.map(({ way, title }) => [way, title])).toEqual([
      ['llama', 'llama.cpp in this studio'],
      ['engine', 'the server of --engine'],
      ['command', 'vLLM'],
      ['command', 'SGLang'],
    ]);
    for (const { reason } of ways) expect(reason).toMatch(/started by pissa.*path_initial_model/);
    const request = { checkpoint: changed.path, way: 'engine', base_model_id: 'qwen3' } as const;
    await expect(serving.serve(changed, request)).rejects.toThrow(/started by pissa/);
  });

  it('vLLM says that it has one scale, while llama.cpp is offered', async () => {
    const changed = await change({ 'adapter_config.json': { ...CONFIG, alpha_pattern: { q_proj: 4 } } });
    const { ways } = await (await open({ engine })).offer(changed);
    expect(ways.map(({ reason }) => reason === null)).toEqual([true, false, false, false]);
    expect(ways[2]?.reason).toMatch(/several scales/);
  });

  it('commands have the largest rank of the tensors', async () => {
    const { ways } = await (await open()).offer(await change({ 'adapter_config.json': { ...CONFIG, r: 2 } }));
    // Scaled by alpha / r of the file, which is not what PEFT loads.
    expect(ways.find(({ title }) => title === 'vLLM')?.command).toContain('--max-lora-rank 8 ');
  });

  it('a base with another tokenizer is refused, also when it is chosen all the same', async () => {
    const vocab = Object.fromEntries(Array.from({ length: 1024 }, (_, id) => [`other${id}`, id]));
    const changed = await change({ 'tokenizer.json': { model: { type: 'BPE', vocab } } });
    const serving = await open();
    const { ways } = await serving.offer(changed);
    expect(ways[0]?.bases?.find(({ id }) => id === 'support-base')?.reason).toMatch(/another tokenizer/);
    await expect(serving.serve(changed, { ...REQUEST, checkpoint: changed.path })).rejects.toThrow(/another tokenizer/);
  });

  it('a base of other heads is refused by what a tracker recorded', async () => {
    const recorded = checkpoint({ modelConfig: { num_attention_heads: 9 } });
    const { ways } = await (await open()).offer(recorded);
    expect(ways[0]?.bases?.find(({ id }) => id === 'support-base')?.reason).toMatch(/9 attention heads/);
  });

  it('a base of another family is refused by what PEFT notes, or by the folder of the base', async () => {
    const parent_library = 'transformers.models.qwen2.modeling_qwen2';
    const noted = await change({ 'adapter_config.json': { ...CONFIG, auto_mapping: { parent_library } } });
    const baseFolder = join(folder.root, 'base');
    await mkdir(baseFolder);
    await writeFile(join(baseFolder, 'config.json'), JSON.stringify({ model_type: 'qwen2' }));
    const named = await change({ 'adapter_config.json': { ...CONFIG, base_model_name_or_path: baseFolder } });
    for (const changed of [noted, named]) {
      const { ways } = await (await open()).offer(changed);
      expect(ways[0]?.bases?.find(({ id }) => id === 'support-base')?.reason).toMatch(/type qwen2.*family llama/);
    }
  });

  it('a template of the run’s own is said, and the model answers by it', async () => {
    const template =
      "{% for message in messages %}{{ '<|im_start|>user\n' + message['content'] + '!<|im_end|>\n' }}{% endfor %}";
    const changed = await change({ 'chat_template.jinja': template });
    const serving = await open();
    const { ways } = await serving.offer(changed);
    expect(ways[0]?.bases?.[0]?.notes).toEqual([expect.stringMatching(/Its own is used/)]);
    const id = await serving.serve(changed, { ...REQUEST, checkpoint: changed.path });
    const plain = await serving.serve(checkpoint(), REQUEST);
    const engineHere = openSampleEngine({ models: await serving.listModelFiles() });
    try {
      const request = { messages: TRIAGE, temperature: 0, max_completion_tokens: 8 };
      const countTokens = async (model: string) => (await ask(engineHere, model, request)).end.usage?.prompt_tokens;
      // Both have two messages, and the template does not begin an answer.
      expect(await countTokens(id)).not.toBe(await countTokens(plain));
    } finally {
      await engineHere.close();
    }
  });
});

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
