import { expect, it } from 'vitest';
import { toSamplePath } from '#server/studio/sampleFiles.ts';
import { readTakeAway } from './takeAway.ts';

const path = toSamplePath('support-base.Q8_0.gguf');

it("has the template, the end and the context of the model's file", async () => {
  const adapter = toSamplePath('support-triage-1.lora.F16.gguf');
  const { modelfile, problem, commands } = await readTakeAway({ id: 'ft-1', path, adapter });
  expect(problem).toBeNull();
  expect(modelfile).toContain(`FROM ${path}\nADAPTER ${adapter}\n`);
  expect(modelfile).toContain('<|im_start|>user\n{{ .Content }}<|im_end|>\n<|im_start|>assistant\n');
  expect(modelfile).toContain('PARAMETER stop "<|im_end|>"\nPARAMETER num_ctx 512\n');
  expect(commands.map(({ title }) => title)).toEqual(['llama.cpp', 'Ollama']);
});
