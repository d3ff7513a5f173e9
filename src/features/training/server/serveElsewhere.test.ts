import { copyFile, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import { findTakenFile, listSaved, readTakeAway, type Taken } from './serveElsewhere.ts';
import { describeSample } from './testTraining.fixture.ts';

const path = toSamplePath('support-base.Q8_0.gguf');
const toTaken = (model: Taken['model']): Taken => ({ model, saved: [], problem: null });

it('has the template, the end and the context of the model', async () => {
  const adapter = toSamplePath('support-triage-1.lora.F16.gguf');
  const { modelfile, problem, files, commands } = await readTakeAway(
    toTaken({ id: 'ft-1', path, adapter }),
    describeSample,
  );
  expect(problem).toBeNull();
  expect(modelfile).toContain(`FROM ${path}\nADAPTER ${adapter}\n`);
  expect(modelfile).toContain('<|im_start|>user\n{{ .Content }}<|im_end|>\n<|im_start|>assistant\n');
  expect(modelfile).toContain('PARAMETER stop "<|im_end|>"\nPARAMETER num_ctx 512\n');
  expect(files).toEqual([
    {
      format: 'adapter',
      path: adapter,
      bytes: expect.any(Number) as number,
      name: 'support-triage-1.lora.F16.adapter.gguf',
    },
  ]);
  expect(commands.map(({ title }) => title)).toEqual(['llama.cpp', 'Ollama']);
});

it('has all but the Modelfile where the template can not be rendered', async () => {
  const { modelfile, problem, files, commands } = await readTakeAway(
    toTaken({ id: 'ft-1', path, adapter: null }),
    async () => ({
      context: null,
      type: null,
      beginText: '',
      endText: '',
      rendered: { problem: 'It takes too long.' },
    }),
  );
  expect([modelfile, files.length]).toEqual([null, 1]);
  expect(problem).toContain('It takes too long. Serve it with llama.cpp');
  expect(commands.map(({ title }) => title)).toEqual(['llama.cpp', 'vLLM']);
});

it('lists the other forms that were kept beside a model', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forms-'));
  try {
    const own = join(folder, 'ft-a.b-1.gguf');
    await copyFile(path, own);
    for (const name of [
      'ft-a.b-1.merged-F16.gguf',
      'ft-a.b-1-step-9.gguf',
      'ft-a.b-12.F16.gguf',
      'ft-a.b-1.x.gguf.part',
    ])
      await writeFile(join(folder, name), 'four');
    const { files } = await readTakeAway(toTaken({ id: 'ft-1', path: own, adapter: null }), describeSample);
    expect(files).toEqual([
      { format: 'Q8_0', path: own, bytes: (await stat(path)).size, name: 'ft-a.b-1.gguf' },
      {
        format: 'merged F16',
        path: join(folder, 'ft-a.b-1.merged-F16.gguf'),
        bytes: 4,
        name: 'ft-a.b-1.merged-F16.gguf',
      },
    ]);
    const model = toTaken({ id: 'ft-1', path: own, adapter: null });
    expect(await findTakenFile(model, 'ft-a.b-1.merged-F16.gguf', describeSample)).toMatchObject({
      kind: 'file',
      path: files[1]?.path,
    });
    // The downloaded Modelfile names what lies beside it.
    expect(await findTakenFile(model, 'Modelfile', describeSample)).toMatchObject({
      kind: 'text',
      text: expect.stringMatching(/^FROM \.\/ft-a\.b-1\.merged-F16\.gguf\nTEMPLATE/) as string,
    });
    for (const name of ['', own, '../ft-a.b-1.gguf', 'ft-a.b-1-step-9.gguf', 'modelfile'])
      expect(await findTakenFile(model, name, describeSample)).toBeNull();
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('lists what a trainer left, those of its folder first, and nothing that a link leads to', async () => {
  const output = await mkdtemp(join(tmpdir(), 'saved-'));
  try {
    await mkdir(join(output, 'weights', 'checkpoint-2'), { recursive: true });
    for (const name of ['checkpoint-2/optimizer.pt', 'adapter_config.json'])
      await writeFile(join(output, 'weights', name), 'four');
    await symlink(path, join(output, 'weights', 'base.gguf'));
    const saved = await listSaved(output);
    expect(saved).toEqual([
      {
        format: 'as trained',
        path: join(output, 'weights', 'adapter_config.json'),
        bytes: 4,
        name: 'weights/adapter_config.json',
      },
      expect.objectContaining({ name: 'weights/checkpoint-2/optimizer.pt' }),
    ]);
    const taken = { model: null, saved, problem: 'Mixtures of experts are not converted.' };
    expect(await readTakeAway(taken, describeSample)).toEqual({
      modelfile: null,
      problem: taken.problem,
      files: saved,
      commands: [],
    });
    expect(await findTakenFile(taken, 'weights/checkpoint-2/optimizer.pt', describeSample)).toEqual({
      kind: 'file',
      name: 'optimizer.pt',
      path: join(output, 'weights', 'checkpoint-2', 'optimizer.pt'),
    });
    for (const name of ['Modelfile', 'weights/base.gguf', '../passwd'])
      expect(await findTakenFile(taken, name, describeSample)).toBeNull();
    expect(await listSaved(join(output, 'none'))).toEqual([]);
  } finally {
    await rm(output, { recursive: true });
  }
});
