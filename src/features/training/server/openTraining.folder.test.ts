// Trainers whose result is a folder, as PEFT or transformers save it.
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { sweepDeleted } from '#features/datasets/server/deletion.ts';
import { readSampleGguf, writePeftFolder, writeSafetensors } from '#engine/gguf/sampleAdapter.fixture.ts';
import { toSampleHf } from '#engine/gguf/sampleHf.fixture.ts';
import { findGgufProblem } from '#engine/gguf/ggufFile.ts';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import { modelsOf, openTestTraining, QUICK, toTestTrainer } from './testTraining.fixture.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';

const { folders, dataDir, studio } = await keepSample();
await studio.database.executeSql('update studio.snapshots set rows_end = 300');
const laid = await folders.empty();
const [peft, hf] = [join(laid, 'peft'), join(laid, 'hf')];
writePeftFolder(peft);
mkdirSync(join(peft, 'checkpoint-2'));
writeFileSync(join(peft, 'checkpoint-2', 'trainer_state.json'), '{}');
const { config, tokenizer, tokenizerConfig, matrices } = toSampleHf(readSampleGguf('support-base.Q8_0.gguf'));
mkdirSync(hf);
for (const [name, value] of Object.entries({ config, tokenizer, tokenizer_config: tokenizerConfig }))
  writeFileSync(join(hf, `${name}.json`), JSON.stringify(value));
writeFileSync(join(hf, 'model.safetensors'), writeSafetensors(matrices));

/** A run whose trainer leaves this folder, when it has succeeded or failed. */
async function train(kind: 'peft' | 'hf', folder: string) {
  const options = { dataDir, studio, trainer: toTestTrainer(`folder:${kind}:${folder}`) };
  const test = await openTestTraining({ ...options, times: { ...QUICK, sweepMs: 200 } });
  const [id = ''] = await test.runsOf(await test.create());
  const progress = await test.until(id, ({ status }) => status === 'succeeded' || status === 'failed');
  const place = join(dataDir, 'training', id);
  return { test, id, progress, place, again: () => openTestTraining({ ...options, trainer: null }) };
}
const tree = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();

it('an adapter that PEFT saved is served on its base, and what its trainer left stays', async () => {
  const { test, id, progress, place, again } = await train('peft', peft);
  expect(progress).toMatchObject({ status: 'succeeded', reason: null });
  const [model = ''] = await modelsOf(test, id);
  const file = (await studio.listModelFiles()).find((each) => each.id === model);
  expect(file?.path).toBe(toSamplePath('support-base.Q8_0.gguf'));
  expect(await findGgufProblem(file?.adapter ?? '', 'adapter')).toBeNull();

  const names = ['weights/adapter_config.json', 'weights/checkpoint-2/trainer_state.json'];
  const taken = await test.training.findTakeAway(id);
  expect(taken?.files[0]?.format).toBe('adapter');
  expect(taken?.files.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  for (const name of names) expect(await test.training.findTakenFile(id, name)).toMatchObject({ kind: 'file' });
  // The rows have gone.
  expect(readdirSync(place)).toEqual(['output']);
  const before = tree(place);

  await test.close();
  writeFileSync(join(place, 'job.json'), '{}');
  const after = await again();
  expect(tree(place)).toEqual(before);
  await after.close();
});

it('a whole model that transformers saved is served', async () => {
  const { test, id, progress } = await train('hf', hf);
  expect(progress).toMatchObject({ status: 'succeeded', reason: null });
  const [model = ''] = await modelsOf(test, id);
  const file = (await studio.listModelFiles()).find((each) => each.id === model);
  expect(file?.adapter).toBeNull();
  expect(await findGgufProblem(file?.path ?? '', 'gguf')).toBeNull();
  await test.close();
});

it('a folder that can not be converted is kept, and it is said why, until its run goes', async () => {
  const other = await folders.empty();
  const config = { model_type: 'rwkv', architectures: ['RwkvForCausalLM'] };
  writeFileSync(join(other, 'config.json'), JSON.stringify(config));
  writeFileSync(join(other, 'model.safetensors'), writeSafetensors([]));
  const { test, id, progress, place } = await train('hf', other);
  expect(progress.status).toBe('succeeded');
  expect(progress.reason).toMatch(
    /^It was trained, and its files are kept, but this studio can't answer with them\. ./,
  );
  expect(await modelsOf(test, id)).toEqual([]);
  const taken = await test.training.findTakeAway(id);
  expect(taken).toMatchObject({ problem: progress.reason, commands: [], modelfile: null });
  expect(taken?.files.map(({ name }) => name)).toContain('weights/model.safetensors');
  expect((await test.training.findLog(id, 0))?.text).toContain(progress.reason);

  await studio.database.executeSql(
    `update studio.experiments set deleted_at = now() - interval '25 hours' where id = '${id}'`,
  );
  await sweepDeleted(studio.database, new Date());
  await vi.waitFor(() => expect(existsSync(place)).toBe(false), 10_000);
  await test.close();
});

it('weights that are cut off become no model', async () => {
  const cut = await folders.empty();
  writePeftFolder(cut);
  truncateSync(join(cut, 'adapter_model.safetensors'), 50_000);
  const { test, id, progress } = await train('peft', cut);
  expect(progress.reason).toMatch(/can't answer with them/);
  expect(await modelsOf(test, id)).toEqual([]);
  await test.close();
});

it.each([
  ['no configuration', 'adapter_config.json', /has no adapter_config\.json/],
  ['no weights', 'adapter_model.safetensors', /has no weights/],
])('a folder with %s is the failure of its trainer', async (_, missing, reason) => {
  const empty = await folders.empty();
  for (const name of ['adapter_config.json', 'adapter_model.safetensors']) writeFileSync(join(empty, name), '{}');
  rmSync(join(empty, missing));
  const { test, progress } = await train('peft', empty);
  expect(progress).toMatchObject({ status: 'failed', reason: expect.stringMatching(reason) as string });
  await test.close();
});
