// The chat templates of base models, as each trainer names them, and what marks the turns in them. It must not know how a config
// writes them.

export interface ChatTemplate {
  /** A `chat_template` of axolotl/utils/schemas/enums.py. */
  readonly axolotl: string;
  /** A template of llamafactory/data/template.py. */
  readonly llamaFactory: string;
  /** A template of unsloth/chat_templates.py. */
  readonly unsloth: string;
  /** The repository whose tokenizer TRL copies the template and the end of a turn from; null: the model's own has a template. */
  readonly trlSource: string | null;
  /** TRL can tell the assistant's tokens in it: it has a `*_training.jinja` of this very template (trl/chat_templates). */
  readonly isMaskedByTrl: boolean;
  readonly endOfTurn: string;
  /** null: the tokenizer has a token for padding. */
  readonly padding: string | null;
  /** What a user's and an assistant's turn begin with, newlines included. */
  readonly userMark: string;
  readonly assistantMark: string;
}

const CHATML = {
  trlSource: null,
  endOfTurn: '<|im_end|>',
  padding: null,
  userMark: '<|im_start|>user\n',
  assistantMark: '<|im_start|>assistant\n',
} as const;

/** Pretrained Llama models have no template in their tokenizer and end a text by another token than the instruct models a turn. */
const LLAMA = {
  axolotl: 'llama3',
  llamaFactory: 'llama3',
  isMaskedByTrl: false,
  endOfTurn: '<|eot_id|>',
  padding: '<|end_of_text|>',
  userMark: '<|start_header_id|>user<|end_header_id|>\n\n',
  assistantMark: '<|start_header_id|>assistant<|end_header_id|>\n\n',
} as const;

/**
 * By the name on the hub. Source: the files named above, of axolotl 0.18, LLaMA-Factory 0.9.5, TRL 1.9 and Unsloth of August 2026.
 * TRL compares templates letter by letter and stops at others: the pretrained Qwen2.5's is not certain to be that of the instruct model.
 */
const TEMPLATES: Readonly<Record<string, ChatTemplate>> = {
  'Qwen/Qwen2.5-0.5B': { ...CHATML, axolotl: 'qwen_25', llamaFactory: 'qwen', unsloth: 'qwen-2.5', isMaskedByTrl: false },
  'Qwen/Qwen3-0.6B': { ...CHATML, axolotl: 'qwen3', llamaFactory: 'qwen3', unsloth: 'qwen3', isMaskedByTrl: true },
  'meta-llama/Llama-3.2-1B': { ...LLAMA, unsloth: 'llama-3.2', trlSource: 'meta-llama/Llama-3.2-1B-Instruct' },
  'meta-llama/Llama-3.1-8B': { ...LLAMA, unsloth: 'llama-3.1', trlSource: 'meta-llama/Llama-3.1-8B-Instruct' },
};

/** null where nothing is certain. */
export function findChatTemplate(hub: string | null): ChatTemplate | null {
  return hub !== null && Object.hasOwn(TEMPLATES, hub) ? (TEMPLATES[hub] ?? null) : null;
}
