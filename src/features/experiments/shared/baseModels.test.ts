import { describe, expect, it } from 'vitest';
import { BASE_MODEL_IDS, findBaseModel } from './baseModels.ts';
import { toTestCandidate } from './candidate.fixture.ts';
import { CONFIGS, toTestInput } from './exports/exportFormats.fixture.ts';

describe('base models', () => {
  const hubs = (ids: readonly string[]) => ids.map((id) => findBaseModel(id).hub);

  it('have a name on the hub only where it is certain', () => {
    expect(hubs(['qwen3-0.6b', 'qwen2.5-7b', 'llama3.1-8b', 'phi-4-mini', 'acme/my-model_1.0'])).toEqual([
      'Qwen/Qwen3-0.6B',
      'Qwen/Qwen2.5-7B-Instruct',
      'meta-llama/Llama-3.1-8B-Instruct',
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

  it('that are pretrained are taken if they are named in full, with a warning', () => {
    const about = (id: string) =>
      CONFIGS.map(({ toText }) => toText(toTestInput([toTestCandidate('k', { base_model_id: id })])));
    for (const text of about('meta-llama/Llama-3.2-1B')) {
      expect(text).toMatch(/["= ]meta-llama\/Llama-3\.2-1B["\s]/);
      expect(text).toContain('its answers may not end: take meta-llama/Llama-3.2-1B-Instruct, or train embed_tokens');
    }
    for (const text of about('llama3.2-1b')) {
      expect(text).toMatch(/["= ]meta-llama\/Llama-3\.2-1B-Instruct["\s]/);
      expect(text).toContain('is the instruct model');
      expect(text).toContain('run "hf auth login"');
    }
    for (const text of about('qwen2.5-0.5b')) expect(text).not.toContain('hf auth');
    for (const text of about('qwen3-0.6b')) expect(text).not.toContain('base model: ');
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
