// The chat templates of model families: the name in each trainer, and the marks of turns.

export interface ChatTemplate {
  /** A `chat_template` of axolotl/utils/schemas/enums.py; `tokenizer_default` if it has none for this family. */
  readonly axolotl: string;
  /** A template of llamafactory/data/template.py. */
  readonly llamaFactory: string;
  /**
   * A template of unsloth/chat_templates.py; null: it has none for this family, and the tokenizer's own is the right
   * one.
   */
  readonly unsloth: string | null;
  readonly trl: TrlTemplate;
  readonly endOfTurn: string;
  /** The padding token; null if the tokenizer has one. */
  readonly padding: string | null;
  /** The start of a user's and an assistant's turn, newlines included. */
  readonly userMark: string;
  readonly assistantMark: string;
}

/**
 * Where TRL gets the template. `file`: a file of trl/chat_templates that has a `*_training.jinja` beside it. TRL
 * compares templates letter by letter, so only this file makes `assistant_only_loss` certain. `repository`: the
 * template and the end of a turn are copied from its tokenizer. `tokenizer`: the model's own. TRL has no training
 * version of either.
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

// Versions of the sources below: Axolotl (July 2026), LLaMA-Factory and Unsloth (August 2026), TRL 1.10.

/**
 * axolotl enums.py `qwen_25`; llamafactory template.py `qwen`, which constants.py sets for Qwen2.5-*; unsloth
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
 * axolotl enums.py `qwen3`; llamafactory template.py `qwen3`, which constants.py sets for the Qwen3 models that can
 * think and for their base models; unsloth chat_templates.py `qwen3`; trl/chat_templates/qwen3.jinja.
 */
export const QWEN_3: ChatTemplate = {
  ...CHATML_MARKS,
  axolotl: 'qwen3',
  llamaFactory: 'qwen3',
  unsloth: 'qwen3',
  trl: { from: 'file', file: 'qwen3.jinja' },
};

/**
 * Of the instruct models. Pretrained Llama models have no template in their tokenizer, and their end of text is not the
 * end of turn of the instruct models. axolotl enums.py `llama3`; llamafactory template.py `llama3`, set for Llama-3.1 and 3.2 in
 * constants.py; unsloth chat_templates.py `llama-3.1`, `llama-3.2`. trl/chat_templates has llama3_1.jinja and
 * llama3_2.jinja, but no training versions.
 */
export function toLlama(unsloth: 'llama-3.1' | 'llama-3.2'): ChatTemplate {
  return {
    axolotl: 'llama3',
    llamaFactory: 'llama3',
    unsloth,
    trl: { from: 'tokenizer' },
    endOfTurn: '<|eot_id|>',
    padding: '<|end_of_text|>',
    userMark: '<|start_header_id|>user<|end_header_id|>\n\n',
    assistantMark: '<|start_header_id|>assistant<|end_header_id|>\n\n',
  };
}

/**
 * llamafactory template.py `phi4_mini` (marks and end of turn are from there), which constants.py sets for
 * microsoft/Phi-4-mini-instruct. Neither Axolotl's `phi_35` (newlines after its marks) nor Unsloth's `phi-4` (the model
 * of 14 billion parameters) is the same. trl/chat_templates has only Phi-3 and Phi-3.5.
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
 * llamafactory template.py `granite4`; marks from unslothai/notebooks, Granite4.0.py. Axolotl's examples/granite4 name
 * no template. Its enums.py, Unsloth's chat_templates.py and trl/chat_templates have none.
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
