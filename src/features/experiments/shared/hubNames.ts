// The repositories on huggingface.co of the base models of studios. Apart from all else that is known of them, because
// the dashboard's first view needs these alone.

/**
 * By the name in the studio. A repository is certain if it has the same name, or if no other could be meant. Of Qwen2.5
 * and Llama the instruct model is taken: rows are chats, and in the pretrained models the marks of turns are untrained.
 * LoRA doesn't train them either, so such a model never ends an answer (QwenLM/Qwen3#1064, axolotl#2073), and Unsloth
 * refuses to train it (unsloth#1024).
 * Source: llamafactory/extras/constants.py and unsloth/models/mapper.py.
 */
export const HUB_NAMES = {
  'qwen2.5-0.5b': 'Qwen/Qwen2.5-0.5B-Instruct',
  'qwen2.5-1.5b': 'Qwen/Qwen2.5-1.5B-Instruct',
  'qwen2.5-3b': 'Qwen/Qwen2.5-3B-Instruct',
  'qwen2.5-7b': 'Qwen/Qwen2.5-7B-Instruct',
  'qwen3-0.6b': 'Qwen/Qwen3-0.6B',
  'qwen3-1.7b': 'Qwen/Qwen3-1.7B',
  'qwen3-4b': 'Qwen/Qwen3-4B',
  'qwen3-8b': 'Qwen/Qwen3-8B',
  'qwen3-14b': 'Qwen/Qwen3-14B',
  'llama3.2-1b': 'meta-llama/Llama-3.2-1B-Instruct',
  'llama3.2-3b': 'meta-llama/Llama-3.2-3B-Instruct',
  'llama3.1-8b': 'meta-llama/Llama-3.1-8B-Instruct',
  'phi-4-mini': 'microsoft/Phi-4-mini-instruct',
  'granite-4.0-h-1b': 'ibm-granite/granite-4.0-h-1b',
} as const satisfies Readonly<Record<string, string>>;

const HUB = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;
const isKnown = (id: string): id is keyof typeof HUB_NAMES => Object.hasOwn(HUB_NAMES, id);

/** The repository; null if it isn't certain. An unknown id of the form `organisation/name` is taken for one. */
export function findHubName(base_model_id: string): string | null {
  if (isKnown(base_model_id)) return HUB_NAMES[base_model_id];
  return HUB.test(base_model_id) ? base_model_id : null;
}
