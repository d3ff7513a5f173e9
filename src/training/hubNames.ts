// Which repository of huggingface.co a base model is. It must not know how a config names it.

/**
 * Only where one repository alone bears the name: `gemma3-1b` may be the pretrained or the instruct model, `smollm-135m` the
 * first or the second generation, `support-base` is on no hub. Source: the model pages of the Qwen and Meta organisations.
 */
const NAMES: Readonly<Record<string, string>> = {
  'qwen2.5-0.5b': 'Qwen/Qwen2.5-0.5B',
  'qwen3-0.6b': 'Qwen/Qwen3-0.6B',
  'llama3.2-1b': 'meta-llama/Llama-3.2-1B',
  'llama3.1-8b': 'meta-llama/Llama-3.1-8B',
};

const HUB = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

/** An id of the form `organisation/name` is a hub's name already; null where nothing is certain. */
export function findHubName(base_model_id: string): string | null {
  if (Object.hasOwn(NAMES, base_model_id)) return NAMES[base_model_id] ?? null;
  return HUB.test(base_model_id) ? base_model_id : null;
}
