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
  /** What a person should know of the repository; null: nothing. */
  readonly note: string | null;
  /** `target_modules` of Unsloth's get_peft_model. */
  readonly targetModules: 'all-linear' | readonly string[];
}

/** All linear layers of Llama and Qwen models. Source: llama.py in Unsloth. */
const LINEAR = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] as const;

const known = (hub: string, template: ChatTemplate, targetModules: BaseModel['targetModules'] = LINEAR): BaseModel => ({
  hub,
  doubt: null,
  template,
  note: null,
  targetModules,
});
const doubtful = (...hubs: readonly string[]): BaseModel => ({
  hub: null,
  doubt: `it may be ${hubs.join(' or ')}`,
  template: null,
  note: null,
  targetModules: LINEAR,
});

const GATED = 'accept its licence on huggingface.co, then run "hf auth login"';
const toNote = (hub: string, ...parts: readonly string[]): string =>
  [...parts, ...(hub.startsWith('meta-llama/') ? [GATED] : [])].join('; ');

/** `name` is also that of a pretrained model, which can't be trained on chats with LoRA. */
const instruct = (hub: string, template: ChatTemplate): BaseModel => ({
  ...known(hub, template),
  note: toNote(
    hub,
    `${hub} is the instruct model: in the pretrained one the marks of turns are untrained, and LoRA does not train ` +
      'them, so its answers would not end',
  ),
});
/** One that was named in full: it is taken, with a warning. */
const pretrained = (hub: string, template: ChatTemplate): BaseModel => ({
  ...known(hub, template),
  note: toNote(
    hub,
    `the marks of turns are untrained in ${hub}, and LoRA does not train them, so its answers may not end: take ` +
      `${hub}-Instruct, or train embed_tokens and lm_head too`,
  ),
});

const LLAMA_3_1 = toLlama('llama-3.1');
const LLAMA_3_2 = toLlama('llama-3.2');

/** By the name in the studio. */
const BASE_MODELS: Readonly<Record<string, BaseModel>> = {
  'qwen2.5-0.5b': instruct(HUB_NAMES['qwen2.5-0.5b'], QWEN_2_5),
  'qwen2.5-1.5b': instruct(HUB_NAMES['qwen2.5-1.5b'], QWEN_2_5),
  'qwen2.5-3b': instruct(HUB_NAMES['qwen2.5-3b'], QWEN_2_5),
  'qwen2.5-7b': instruct(HUB_NAMES['qwen2.5-7b'], QWEN_2_5),
  'qwen3-0.6b': known(HUB_NAMES['qwen3-0.6b'], QWEN_3),
  'qwen3-1.7b': known(HUB_NAMES['qwen3-1.7b'], QWEN_3),
  'qwen3-4b': known(HUB_NAMES['qwen3-4b'], QWEN_3),
  'qwen3-8b': known(HUB_NAMES['qwen3-8b'], QWEN_3),
  'qwen3-14b': known(HUB_NAMES['qwen3-14b'], QWEN_3),
  'llama3.2-1b': instruct(HUB_NAMES['llama3.2-1b'], LLAMA_3_2),
  'llama3.2-3b': instruct(HUB_NAMES['llama3.2-3b'], LLAMA_3_2),
  'llama3.1-8b': instruct(HUB_NAMES['llama3.1-8b'], LLAMA_3_1),
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

const toPretrainedTemplate = (template: ChatTemplate, hub: string): ChatTemplate =>
  template.trl.from === 'tokenizer' ? { ...template, trl: { from: 'repository', repository: hub } } : template;

/** Also of the pretrained models beside the instruct ones. */
const BY_HUB: ReadonlyMap<string, BaseModel> = new Map(
  Object.values(BASE_MODELS).flatMap((model): (readonly [string, BaseModel])[] => {
    const { hub, template } = model;
    if (hub === null) return [];
    if (template === null || !hub.endsWith('-Instruct')) return [[hub, model]];
    const name = hub.slice(0, -'-Instruct'.length);
    return [
      [hub, model],
      [name, pretrained(name, toPretrainedTemplate(template, hub))],
    ];
  }),
);

/** An unknown id of the form `organisation/name` is taken for a repository's name. */
export function findBaseModel(base_model_id: string): BaseModel {
  const found = Object.hasOwn(BASE_MODELS, base_model_id) ? BASE_MODELS[base_model_id] : BY_HUB.get(base_model_id);
  return found ?? { hub: findHubName(base_model_id), doubt: null, template: null, note: null, targetModules: LINEAR };
}

/**
 * False if only the studio has the base model: it has no name on the hub, and none that it may mean. A doubtful name is
 * left to the reader, and its config stops until it is filled in.
 */
export function isPortable(base_model_id: string): boolean {
  const { hub, doubt } = findBaseModel(base_model_id);
  return hub !== null || doubt !== null;
}
