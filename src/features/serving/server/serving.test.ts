import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readGgufHeader } from '#engine/gguf/ggufHeader.ts';
import { hangingFiles, SILENCE, silentFiles } from '#service/files/silent.fixture.ts';
import { ask, openSampleEngine, samplePath, TRIAGE } from '#engine/sampleModel.fixture.ts';
import { CannotServe } from './cannotServe.ts';
import type { ConvertedFiles } from './convertedFiles.ts';
import type { EngineLoader } from './engineLoader.ts';
import { BASE, REQUEST, RUN, useServedFolder } from './served.fixture.ts';
import { hasFittingName, toModelId } from './modelNames.ts';

const folder = useServedFolder();
const { open, checkpoint } = folder;

describe('an adapter of a run', () => {
  it('becomes a model that answers, and is there again after a restart', async () => {
    const serving = await open();
    const id = await serving.serve(checkpoint(), REQUEST);
    expect(id).toBe('Tickets-2');
    const files = await serving.listModelFiles();
    expect(files).toEqual([
      { id, aliases: [], path: BASE.path, adapter: expect.stringContaining(folder.data), created: 5, owned_by: 'runs' },
    ]);
    const engine = openSampleEngine({
      models: [...files, { ...BASE, id: 'saved', adapter: samplePath('support-triage-1.lora.F16.gguf') }],
    });
    try {
      const request = { messages: TRIAGE, temperature: 0, max_completion_tokens: 64 };
      expect((await ask(engine, id, request)).text).toBe((await ask(engine, 'saved', request)).text);
    } finally {
      await engine.close();
    }
    const again = await open();
    const served = { way: 'llama', base_model_id: 'support-base' };
    expect(await again.findServed(RUN, 'run')).toEqual({ model_id: id, served });
    const state = await again.readState();
    expect(state.byRun.get(RUN)).toEqual({ model_id: id, base_model_id: 'support-base' });
    expect([state.findBase('me/support-base'), state.findBase('me/none'), state.findBase(null)]).toEqual([
      'support-base',
      null,
      null,
    ]);
    expect(await again.readState()).toBe(state);
    expect(await again.serve(checkpoint(), REQUEST)).toBe(id);
    expect((await again.offer(checkpoint())).model_id).toBe(id);
    expect(await again.stop(id)).toBe(true);
    expect(await again.stop(id)).toBe(false);
    expect(await again.listModelFiles()).toEqual([]);
  });

  it('is offered on the bases that are here, the one of its name first', async () => {
    const { ways } = await (await open()).offer(checkpoint());
    expect(ways[0]).toMatchObject({
      way: 'llama',
      reason: null,
      bases: [
        { id: 'support-base', has_fitting_name: true, reason: null, notes: [] },
        {
          id: 'other',
          has_fitting_name: false,
          reason: expect.stringContaining('/other.gguf can’t be read'),
          notes: [],
        },
      ],
    });
    expect(
      ways.slice(1).every(({ way, command }) => way === 'command' && command?.includes(join(folder.root, 'run'))),
    ).toBe(true);
  });

  it('is loaded by an engine on the model there that a person chose', async () => {
    const loaded: string[] = [];
    const engine: EngineLoader = {
      readKind: async () => 'ollama',
      load: async ({ name, baseModel }) => {
        loaded.push(baseModel);
        return name;
      },
      unload: async () => undefined,
    };
    const serving = await open({
      engine,
      listModels: async () => ['support-base', 'other', 'qwen3', 'me/support-base'],
    });
    const { ways } = await serving.offer(checkpoint());
    expect(ways.find(({ way }) => way === 'engine')?.bases).toEqual([
      { id: 'me/support-base', has_fitting_name: true, reason: null, notes: [] },
      { id: 'qwen3', has_fitting_name: false, reason: null, notes: [] },
    ]);
    await serving.serve(checkpoint(), { checkpoint: 'run', way: 'engine', base_model_id: 'qwen3' });
    expect(loaded).toEqual(['qwen3']);
    const served = { way: 'engine', base_model_id: 'qwen3' };
    expect(await serving.findServed(RUN, 'run')).toMatchObject({ model_id: expect.any(String), served });
  });

  it('is refused with its reason, and leaves nothing behind', async () => {
    const serving = await open();
    const broken = checkpoint({ path: 'run/checkpoint-5' });
    await expect(serving.serve(broken, REQUEST)).rejects.toThrow(/not valid JSON/);
    await writeFile(join(folder.root, 'run', 'checkpoint-5', 'adapter_config.json'), '{"peft_type": "LORA"}');
    await expect(serving.serve(broken, REQUEST)).rejects.toThrow(/leads out of the folder/);
    await expect(serving.serve(checkpoint(), { ...REQUEST, base_model_id: 'none' })).rejects.toThrow(CannotServe);
    await expect(serving.serve(checkpoint({ isComplete: false }), REQUEST)).rejects.toThrow(/not complete/);
    await expect(serving.serve(checkpoint({ kind: 'full' }), REQUEST)).rejects.toThrow(/config\.json, tokenizer\.json/);
    await expect(serving.serve(checkpoint(), { ...REQUEST, way: 'engine' })).rejects.toThrow(/--engine/);
    expect(await serving.findServed(RUN, 'run/checkpoint-5')).toBeNull();
    expect((await readdir(folder.data, { recursive: true })).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  /** Conversions are tested above. */
  const converted: ConvertedFiles = {
    judgeAdapter: async () => {
      throw new CannotServe('Judged above.');
    },
    judgeModel: async () => ({ reason: null, files: [] }),
    open: async () => {
      throw new CannotServe('Opened elsewhere.');
    },
    convert: async () => {
      await mkdir(join(folder.data, 'adapters'), { recursive: true });
      await writeFile(join(folder.data, 'adapters', 'a.gguf'), 'x');
      return join(folder.data, 'adapters', 'a.gguf');
    },
    remove: async () => undefined,
    removeLeft: async () => undefined,
  };

  it('says that its converted file is gone, and is converted again as the same model', async () => {
    const serving = await open({ converted });
    const id = await serving.serve(checkpoint(), REQUEST);
    const before = await serving.readState();
    await rm(join(folder.data, 'adapters'), { recursive: true });
    expect(await serving.findServed(RUN, 'run')).toMatchObject({
      model_id: null,
      served: { base_model_id: 'support-base', problem: expect.stringContaining('converted file is gone') },
    });
    expect((await serving.readState()).byRun.size).toBe(0);
    expect(await serving.readState()).not.toBe(before);
    expect(await serving.listModelFiles()).toEqual([]);
    expect((await serving.offer(checkpoint())).model_id).toBeNull();
    expect(await serving.serve(checkpoint(), REQUEST)).toBe(id);
    expect((await serving.findServed(RUN, 'run'))?.served).toEqual({ way: 'llama', base_model_id: 'support-base' });
    expect(await serving.listModelFiles()).toHaveLength(1);
  });

  it('says that its base is gone', async () => {
    const base = join(folder.data, 'base.gguf');
    await writeFile(base, 'x');
    const serving = await open({ converted, listBases: async () => [{ ...BASE, path: base }] });
    await serving.serve(checkpoint(), REQUEST);
    await rm(base);
    expect((await serving.findServed(RUN, 'run'))?.served.problem).toContain(`its base model is gone: ${base}`);
  });

  it('is converted once for two requests at the same time', async () => {
    const serving = await open();
    await Promise.all([serving.serve(checkpoint(), REQUEST), serving.serve(checkpoint({ runId: 'other' }), REQUEST)]);
    const files = await readdir(join(folder.data, 'adapters'));
    expect(files).toHaveLength(1);
    const header = readGgufHeader(new Uint8Array(await readFile(join(folder.data, 'adapters', files[0] ?? ''))));
    expect(header.values.get('general.type')).toBe('adapter');
    // It goes with the last model that is served with it.
    const [first, second] = (await serving.listModelFiles()).map(({ id }) => id);
    await serving.stop(first ?? '');
    expect(await readdir(join(folder.data, 'adapters'))).toEqual(files);
    await serving.stop(second ?? '');
    expect(await readdir(join(folder.data, 'adapters'))).toEqual([]);
  });

  it('and what an earlier service left of one goes at the next start, after a day', async () => {
    const served = await open();
    await served.serve(checkpoint(), REQUEST);
    const [own = ''] = await readdir(join(folder.data, 'adapters'));
    const [left, draft, recent] = ['a', 'b', 'c'].map((letter) => `${letter.repeat(32)}.gguf`);
    const drafted = `${draft}.4711.part`;
    const names = [left, drafted, recent, 'of-a-person.gguf'] as string[];
    for (const name of names) await writeFile(join(folder.data, 'adapters', name), 'x');
    const old = new Date(Date.now() - 25 * 3_600_000);
    for (const name of [own, left, drafted, 'of-a-person.gguf'] as string[])
      await utimes(join(folder.data, 'adapters', name), old, old);
    const again = await open({ now: Date.now });
    expect((await readdir(join(folder.data, 'adapters'))).toSorted()).toEqual(
      [own, recent, 'of-a-person.gguf'].toSorted(),
    );
    expect(await again.listModelFiles()).toHaveLength(1);
  });
});

describe('the stored list', () => {
  it('is put aside when it is damaged, and said', async () => {
    await writeFile(join(folder.data, 'served-models.json'), '{');
    const serving = await open();
    expect(await serving.listModelFiles()).toEqual([]);
    expect(folder.lines).toEqual([expect.stringContaining('is damaged')]);
    expect(await readdir(folder.data)).toEqual(['served-models.json.damaged']);
  });

  it('loses only the entries that are wrong', async () => {
    const good = { id: 'a', run_id: RUN, checkpoint: 'run', way: 'engine' };
    await writeFile(
      join(folder.data, 'served-models.json'),
      JSON.stringify([1, { id: 'b' }, { ...good, way: 'llama' }, good]),
    );
    expect((await (await open()).findServed(RUN, 'run'))?.model_id).toBe('a');
  });
});

describe('names', () => {
  it.each([
    ['Qwen/Qwen3-0.6B', true],
    ['unsloth/Qwen3-0.6B-bnb-4bit', true],
    ['/srv/me/models/Qwen3-0.6B', true],
    ['Qwen/Qwen3-0.6B-Base', false],
    [null, false],
  ])('of a base fit a local file or not: %s', (name, isFitting) => {
    expect(hasFittingName({ ...BASE, id: 'q', path: '/m/Qwen3-0.6B-Q8_0.gguf' }, name)).toBe(isFitting);
  });

  it('of models are one word, and no other model’s', () => {
    expect(toModelId('my run / ü', 500, new Set())).toBe('my-run-ü-500');
    expect(toModelId('../..', null, new Set(['run']))).toBe('run-2');
  });
});

describe('a mount that hangs', () => {
  it('is said when an adapter on it is to be served', async () => {
    const serving = await open({ files: silentFiles });
    await expect(serving.serve(checkpoint(), REQUEST)).rejects.toThrow(SILENCE);
    const engine = { readKind: async () => 'vllm' as const, load: async () => 'x', unload: async () => undefined };
    const other = await open({ files: silentFiles, engine });
    await expect(other.serve(checkpoint(), { ...REQUEST, way: 'engine' })).rejects.toThrow(SILENCE);
  });

  it('keeps no list of models waiting, and what is served from it stays in the list', async () => {
    const id = await (await open()).serve(checkpoint(), REQUEST);
    const serving = await open({ files: hangingFiles });
    expect((await serving.listModelFiles()).map((file) => file.id)).toEqual([id]);
    expect((await serving.readState()).byRun.size).toBe(1);
  }, 20_000);
});
