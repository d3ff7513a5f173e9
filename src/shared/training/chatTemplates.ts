// The chat templates of model families, as each trainer names them, and what marks the turns in them.

export interface ChatTemplate {
  /** A `chat_template` of axolotl/utils/schemas/enums.py; `tokenizer_default` where it has none of this family. */
  readonly axolotl: string;
  /** A template of llamafactory/data/template.py. */
  readonly llamaFactory: string;
  /**
   * A template of unsloth/chat_templates.py; null: it has none of this family, and the tokenizer's own is the right
   * one.
   */
  readonly unsloth: string | null;
  readonly trl: TrlTemplate;
  readonly endOfTurn: string;
  /** null: the tokenizer has a token for padding. */
  readonly padding: string | null;
  /** What a user's and an assistant's turn begin with, newlines included. */
  readonly userMark: string;
  readonly assistantMark: string;
}

/**
 * Where TRL takes the template from. `file`: one of trl/chat_templates that has a `*_training.jinja` beside it; TRL
 * compares templates letter by letter, so only this very file makes `assistant_only_loss` certain. `repository`: a
 * tokenizer to copy the template and the end of a turn from; TRL has no training version of it. `tokenizer`: the
 * model's own, likewise.
 */
type TrlTemplate =
  | { readonly from: 'file'; readonly file: string }
  | { readonly from: 'repository'; readonly repository: string }
  | { readonly from: 'tokenizer' };

const CHATML_MARKS = {
  endOfTurn: '<|im_end|>',
  padding: null,
  userMark: '<|im_start|>user\n',
  assistantMark: '<|im_start|>assistant\n',
} as const;

// Sources of what follows: Axolotl (July 2026), LLaMA-Factory and Unsloth (August 2026), TRL 1.10. Each line names the
// place.

/**
 * axolotl enums.py `qwen_25`; llamafactory template.py `qwen`, which constants.py gives to Qwen2.5-*; unsloth
 * chat_templates.py `qwen-2.5`; trl/chat_templates/qwen2_5.jinja. The pretrained models' own template differs in its
 * default system prompt.
 */
export const QWEN_2_5: ChatTemplate = {
  ...CHATML_MARKS,
  axolotl: 'qwen_25',
  llamaFactory: 'qwen',
  unsloth: 'qwen-2.5',
  trl: { from: 'file', file: 'qwen2_5.jinja' },
};

/**
 * axolotl enums.py `qwen3`; llamafactory template.py `qwen3`, which constants.py gives to the Qwen3 models that can
 * think and to their base models; unsloth chat_templates.py `qwen3`; trl/chat_templates/qwen3.jinja.
 */
export const QWEN_3: ChatTemplate = {
  ...CHATML_MARKS,
  axolotl: 'qwen3',
  llamaFactory: 'qwen3',
  unsloth: 'qwen3',
  trl: { from: 'file', file: 'qwen3.jinja' },
};

/**
 * Pretrained Llama models have no template in their tokenizer and end a text by another token than the instruct models
 * a turn. axolotl enums.py `llama3`; llamafactory template.py `llama3`, which constants.py gives to Llama-3.1 and 3.2;
 * unsloth chat_templates.py `llama-3.1`, `llama-3.2`. trl/chat_templates has llama3_1.jinja and llama3_2.jinja, but no
 * training versions.
 */
export function toLlama(unsloth: 'llama-3.1' | 'llama-3.2', instruct: string): ChatTemplate {
  return {
    axolotl: 'llama3',
    llamaFactory: 'llama3',
    unsloth,
    trl: { from: 'repository', repository: instruct },
    endOfTurn: '<|eot_id|>',
    padding: '<|end_of_text|>',
    userMark: '<|start_header_id|>user<|end_header_id|>\n\n',
    assistantMark: '<|start_header_id|>assistant<|end_header_id|>\n\n',
  };
}

/**
 * llamafactory template.py `phi4_mini` (its marks and end of turn are the ones here), which constants.py gives to
 * microsoft/Phi-4-mini-instruct. Axolotl's `phi_35` has newlines after its marks and Unsloth's `phi-4` is of the model
 * of 14 billion parameters: neither is this one. trl/chat_templates has Phi-3 and Phi-3.5 alone.
 */
export const PHI_4_MINI: ChatTemplate = {
  axolotl: 'tokenizer_default',
  llamaFactory: 'phi4_mini',
  unsloth: null,
  trl: { from: 'tokenizer' },
  endOfTurn: '<|end|>',
  padding: null,
  userMark: '<|user|>',
  assistantMark: '<|assistant|>',
};

/**
 * llamafactory template.py `granite4`; the marks as in unslothai/notebooks, Granite4.0.py. Axolotl's examples/granite4
 * name no template, its enums.py and Unsloth's chat_templates.py have none, nor has trl/chat_templates.
 */
export const GRANITE_4: ChatTemplate = {
  axolotl: 'tokenizer_default',
  llamaFactory: 'granite4',
  unsloth: null,
  trl: { from: 'tokenizer' },
  endOfTurn: '<|end_of_text|>',
  padding: null,
  userMark: '<|start_of_role|>user<|end_of_role|>',
  assistantMark: '<|start_of_role|>assistant<|end_of_role|>',
};
