import { expect, it } from 'vitest';
import { nearFiles, type Files } from '#service/files/files.ts';
import { SILENCE, silentFiles } from '#service/files/silent.fixture.ts';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import { toBuiltInTrainer } from './builtInTrainer.ts';

const refuse = (file: string | null) => toBuiltInTrainer().refuse?.({ id: 'a', file, adapter: null });

it('trains the base model of the sample', async () => {
  expect(await refuse(toSamplePath('support-base.Q8_0.gguf'))).toBeNull();
});

it('says why it can not train others, and what to do', async () => {
  expect(await refuse(null)).toMatch(/a is none of them\. Start the service with --trainer CMD/);
  expect(await refuse(toSamplePath('runs.json'))).toMatch(/does not begin with "GGUF"/);
  expect(await refuse('/nowhere/a.gguf')).toMatch(/can not be read/);
  expect(await refuse(toSamplePath('support-triage-1.lora.F16.gguf'))).toMatch(/The built-in trainer/);
});

it('trains all weights or LoRA, and says what to do for QLoRA', () => {
  const { refuseType } = toBuiltInTrainer();
  expect([refuseType?.('full'), refuseType?.('lora')]).toEqual([null, null]);
  expect(refuseType?.('qlora')).toMatch(
    /does not quantize .* Take "lora", or start the service, or a worker, with a trainer that can/,
  );
});

it('says of a file whose mount hangs since when, and forgets it when it answers', async () => {
  const path = toSamplePath('support-base.Q8_0.gguf');
  let files: Files = silentFiles;
  const { refuse: ask } = toBuiltInTrainer({
    find: (file) => files.find(file),
    read: (file, at, length) => files.read(file, at, length),
  });
  expect(await ask({ id: 'a', file: path, adapter: null })).toMatch(SILENCE);
  files = nearFiles;
  expect(await ask({ id: 'a', file: path, adapter: null })).toBeNull();
});
