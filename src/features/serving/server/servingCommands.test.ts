import { describe, expect, it } from 'vitest';
import { toServingCommands, type SavedWeights } from './servingCommands.ts';

const adapter: SavedWeights = {
  kind: 'adapter',
  path: '/srv/me/my outputs/checkpoint-500',
  baseModel: 'Qwen/Qwen3-0.6B',
  rank: 24,
  name: 'tickets-500',
  isMlx: false,
};

describe('toServingCommands', () => {
  it('serves an adapter on its base, with a rank that the server allows', () => {
    expect(toServingCommands(adapter)[0]?.command).toBe(
      "vllm serve Qwen/Qwen3-0.6B --enable-lora --max-lora-rank 32 --lora-modules tickets-500='/srv/me/my outputs/checkpoint-500'",
    );
  });

  it('leaves a place for a base model that nobody recorded', () => {
    expect(toServingCommands({ ...adapter, baseModel: null })[0]?.command).toContain('vllm serve BASE_MODEL ');
  });

  it('has no flag in the place of a base model whose name looks like one', () => {
    const baseModel = '--trust-remote-code';
    for (const isMlx of [true, false])
      for (const { command } of toServingCommands({ ...adapter, baseModel, isMlx }))
        expect(command).toMatch(/ \.\/--trust-remote-code /);
  });

  it('offers an adapter of mlx-lm to its own server alone', () => {
    expect(toServingCommands({ ...adapter, isMlx: true }).map(({ title }) => title)).toEqual(['mlx-lm']);
  });

  it.each([
    ['full', ['vLLM', 'SGLang', 'A GGUF file beside the weights, which this studio then serves']],
    ['gguf', ['llama.cpp', 'Ollama']],
    ['unknown', []],
  ] as const)('knows the servers of weights of the kind %s', (kind, titles) => {
    expect(toServingCommands({ ...adapter, kind }).map(({ title }) => title)).toEqual(titles);
  });
});
