import { expect, it } from 'vitest';
import { toCommandText, toMemoryText } from './serveElsewhereText.ts';

it('a command is quoted where a shell would cut it', () => {
  expect(toCommandText(['node', '/my files/train.mjs', 'job.json'])).toBe("node '/my files/train.mjs' job.json");
});

it.each([
  [{ status: false, memory: null }, 'Not in memory: the next message loads it.'],
  [{ status: true, memory: null }, 'Ready to answer.'],
  [
    { status: true, memory: { bytes: 5_400_000, layers: 5, gpu_layers: 0, gpu: null } },
    'In memory: 5.4 MB, on the processor.',
  ],
  [
    { status: true, memory: { bytes: 9e9, layers: 33, gpu_layers: 33, gpu: 'RTX 4090 (cuda)' } },
    'In memory: 9 GB, all 33 layers on RTX 4090 (cuda).',
  ],
  [
    { status: true, memory: { bytes: 9e9, layers: 33, gpu_layers: 20, gpu: 'RTX 4090 (cuda)' } },
    'In memory: 9 GB, 20 of 33 layers on RTX 4090 (cuda).',
  ],
])('a model with %j: %s', (running, text) => expect(toMemoryText(running)).toBe(text));

it('a remote studio says only whether a model is in memory', () => {
  expect([toMemoryText({ status: true }, false), toMemoryText({ status: false }, false)]).toEqual([
    'Ready to answer.',
    'Not in memory.',
  ]);
});
