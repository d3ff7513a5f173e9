import { describe, expect, it } from 'vitest';
import { BASE_MODEL_IDS, findBaseModel } from './baseModels.ts';
import { toTestCandidate } from './candidate.fixture.ts';
import { CONFIGS, toTestInput } from './exportFormats.fixture.ts';

describe('base models', () => {
  const hubs = (ids: readonly string[]) => ids.map((id) => findBaseModel(id).hub);

  it('have a name on the hub only where it is certain', () => {
    expect(hubs(['qwen3-0.6b', 'qwen2.5-7b', 'llama3.1-8b', 'phi-4-mini', 'acme/my-model_1.0'])).toEqual([
      'Qwen/Qwen3-0.6B',
      'Qwen/Qwen2.5-7B',
      'meta-llama/Llama-3.1-8B',
      'microsoft/Phi-4-mini-instruct',
      'acme/my-model_1.0',
    ]);
    expect(hubs(['support-base', 'gemma3-1b', '__proto__', '../etc/x', 'a/b/c', 'a/b\n', ''])).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('are known by that name too', () => {
    for (const id of BASE_MODEL_IDS) {
      const model = findBaseModel(id);
      if (model.hub !== null) expect(findBaseModel(model.hub)).toBe(model);
    }
  });

  it('have a name, a template and no doubt, or neither and the reason for it, in each file', () => {
    expect(BASE_MODEL_IDS).toHaveLength(19);
    for (const id of BASE_MODEL_IDS) {
      const { hub, doubt, template } = findBaseModel(id);
      expect([hub === null, template === null]).toEqual([doubt !== null, doubt !== null]);
      for (const { toText } of CONFIGS)
        expect(toText(toTestInput([toTestCandidate('k', { base_model_id: id })]))).toContain(
          hub ?? `"${id}" (${doubt})`,
        );
    }
    expect(findBaseModel('smollm-135m').doubt).toBe(
      'it may be HuggingFaceTB/SmolLM-135M or HuggingFaceTB/SmolLM2-135M',
    );
  });
});
