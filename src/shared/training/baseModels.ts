// The base models of studios, one record each: the repository (hubNames.ts), the chat template, and the layers for an
// adapter. All else in the configs derives from it.
import { GRANITE_4, PHI_4_MINI, QWEN_2_5, QWEN_3, toLlama, type ChatTemplate } from './chatTemplates.ts';
import { findHubName, HUB_NAMES } from './hubNames.ts';

export interface BaseModel {
  /** The repository; null if it isn't certain. */
  readonly hub: string | null;
  /** Which repositories the name may mean; null if there is one, or the name is unknown. */
  readonly doubt: string | null;
  /** null if it isn't certain. */
  readonly template: ChatTemplate | null;
  /** `target_modules` of Unsloth's get_peft_model. */
  readonly targetModules: 'all-linear' | readonly string[];
}

/** All linear layers of Llama and Qwen models. Source: llama.py in Unsloth. */
const LINEAR = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] as const;

const known = (hub: string, template: ChatTemplate, targetModules: BaseModel['targetModules'] = LINEAR): BaseModel => ({
  hub,
  doubt: null,
  template,
  targetModules,
});
const doubtful = (...hubs: readonly string[]): BaseModel => ({
  hub: null,
  doubt: `it may be ${hubs.join(' or ')}`,
  template: null,
  targetModules: LINEAR,
});

const LLAMA_3_1_8B = toLlama('llama-3.1', 'meta-llama/Llama-3.1-8B-Instruct');
const toLlama32 = (size: string): ChatTemplate => toLlama('llama-3.2', `meta-llama/Llama-3.2-${size}-Instruct`);

/** By the name in the studio. */
const BASE_MODELS: Readonly<Record<string, BaseModel>> = {
  'qwen2.5-0.5b': known(HUB_NAMES['qwen2.5-0.5b'], QWEN_2_5),
  'qwen2.5-1.5b': known(HUB_NAMES['qwen2.5-1.5b'], QWEN_2_5),
  'qwen2.5-3b': known(HUB_NAMES['qwen2.5-3b'], QWEN_2_5),
  'qwen2.5-7b': known(HUB_NAMES['qwen2.5-7b'], QWEN_2_5),
  'qwen3-0.6b': known(HUB_NAMES['qwen3-0.6b'], QWEN_3),
  'qwen3-1.7b': known(HUB_NAMES['qwen3-1.7b'], QWEN_3),
  'qwen3-4b': known(HUB_NAMES['qwen3-4b'], QWEN_3),
  'qwen3-8b': known(HUB_NAMES['qwen3-8b'], QWEN_3),
  'qwen3-14b': known(HUB_NAMES['qwen3-14b'], QWEN_3),
  'llama3.2-1b': known(HUB_NAMES['llama3.2-1b'], toLlama32('1B')),
  'llama3.2-3b': known(HUB_NAMES['llama3.2-3b'], toLlama32('3B')),
  'llama3.1-8b': known(HUB_NAMES['llama3.1-8b'], LLAMA_3_1_8B),
  // There is no pretrained one, and the reasoning model has another name. Its layers may be fused (qkv_proj,
  // gate_up_proj).
  'phi-4-mini': known(HUB_NAMES['phi-4-mini'], PHI_4_MINI, 'all-linear'),
  // The pretrained one is granite-4.0-h-1b-base. Source of the layers: unslothai/notebooks, Granite4.0.py.
  'granite-4.0-h-1b': known(HUB_NAMES['granite-4.0-h-1b'], GRANITE_4, [
    ...LINEAR,
    'shared_mlp.input_linear',
    'shared_mlp.output_linear',
  ]),
  // Neither of the two repositories has the same name.
  'gemma3-1b': doubtful('google/gemma-3-1b-pt', 'google/gemma-3-1b-it'),
  'gemma3-4b': doubtful('google/gemma-3-4b-pt', 'google/gemma-3-4b-it'),
  // Both generations have these sizes, with templates that differ in the default system prompt (llamafactory
  // template.py).
  'smollm-135m': doubtful('HuggingFaceTB/SmolLM-135M', 'HuggingFaceTB/SmolLM2-135M'),
  'smollm-360m': doubtful('HuggingFaceTB/SmolLM-360M', 'HuggingFaceTB/SmolLM2-360M'),
  'smollm-1.7b': doubtful('HuggingFaceTB/SmolLM-1.7B', 'HuggingFaceTB/SmolLM2-1.7B'),
};

export const BASE_MODEL_IDS: readonly string[] = Object.keys(BASE_MODELS);

const BY_HUB: ReadonlyMap<string, BaseModel> = new Map(
  Object.values(BASE_MODELS).flatMap((model) => (model.hub === null ? [] : [[model.hub, model]])),
);

/** An unknown id of the form `organisation/name` is taken for a repository's name. */
export function findBaseModel(base_model_id: string): BaseModel {
  const found = Object.hasOwn(BASE_MODELS, base_model_id) ? BASE_MODELS[base_model_id] : BY_HUB.get(base_model_id);
  return found ?? { hub: findHubName(base_model_id), doubt: null, template: null, targetModules: LINEAR };
}

/**
 * False if only the studio has the base model: it has no name on the hub, and none that it may mean. A doubtful name is
 * left to the reader, and its config stops until it is filled in.
 */
export function isPortable(base_model_id: string): boolean {
  const { hub, doubt } = findBaseModel(base_model_id);
  return hub !== null || doubt !== null;
}
