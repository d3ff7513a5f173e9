// What is known of weights before they are served, and after somebody has changed them.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { readSampleGguf, toPeftMatrices, writeSafetensors } from '#engine/gguf/sampleAdapter.fixture.ts';
import { ask, openSampleEngine, samplePath, TRIAGE } from '#engine/sampleModel.fixture.ts';
import { nearFiles, type Files } from '#service/files/files.ts';
import type { EngineLoader } from './engineLoader.ts';
import { BASE, REQUEST, RUN, useServedFolder } from './served.fixture.ts';
import type { FoundCheckpoint } from './foundCheckpoint.ts';

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
