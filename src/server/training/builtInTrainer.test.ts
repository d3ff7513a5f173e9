import { expect, it } from 'vitest';
import { toSamplePath } from '#server/studio/sampleFiles.ts';
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
