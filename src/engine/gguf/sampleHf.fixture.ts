// For tests: a sample model as transformers would have saved it.
import { HEADS, PEFT_NAMES, readValues, toHalves, type Matrix, type SampleGguf } from './sampleAdapter.fixture.ts';

export interface SampleHf {
  readonly config: Readonly<Record<string, unknown>>;
  readonly tokenizer: Readonly<Record<string, unknown>>;
  readonly tokenizerConfig: Readonly<Record<string, unknown>>;
  readonly chatTemplate: string;
  readonly matrices: readonly Matrix[];
}

const WHOLE: Readonly<Record<string, string>> = {
  'token_embd.weight': 'model.embed_tokens.weight',
  'output_norm.weight': 'model.norm.weight',
  'output.weight': 'lm_head.weight',
};
const NORMS: Readonly<Record<string, string>> = {
  attn_norm: 'input_layernorm',
  ffn_norm: 'post_attention_layernorm',
};

/** Of a llama model with a vocabulary of the kind gpt-2. */
export function toSampleHf(model: SampleGguf): SampleHf {
  const { values, tensors } = model.header;
  const number = (name: string): number => Number(values.get(`llama.${name}`));
  const list = (name: string): readonly unknown[] => values.get(`tokenizer.ggml.${name}`) as readonly unknown[];
  const [texts, types] = [list('tokens').map(String), list('token_type')];
  const textOf = (name: string): string => texts[Number(values.get(`tokenizer.ggml.${name}_token_id`))] ?? '';
  const added = texts
    .map((content, id) => ({ id, content, special: types[id] === 3 }))
    .filter(({ id }) => types[id] !== 1);
  return {
    config: {
      model_type: 'llama',
      hidden_size: number('embedding_length'),
      intermediate_size: number('feed_forward_length'),
      num_hidden_layers: number('block_count'),
      num_attention_heads: number('attention.head_count'),
      num_key_value_heads: number('attention.head_count_kv'),
      max_position_embeddings: number('context_length'),
      rms_norm_eps: number('attention.layer_norm_rms_epsilon'),
      rope_parameters: { rope_type: 'default', rope_theta: number('rope.freq_base') },
      tie_word_embeddings: !tensors.has('output.weight'),
      vocab_size: texts.length,
    },
    tokenizer: {
      normalizer: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
      model: {
        type: 'BPE',
        vocab: Object.fromEntries(texts.flatMap((text, id) => (types[id] === 1 ? [[text, id] as const] : []))),
        merges: list('merges').map((merge) => String(merge).split(' ')),
      },
      added_tokens: added,
    },
    tokenizerConfig: {
      bos_token: textOf('bos'),
      eos_token: textOf('eos'),
      pad_token: { content: textOf('padding') },
      add_bos_token: false,
    },
    chatTemplate: String(values.get('tokenizer.chat_template')),
    matrices: [...tensors.values()].map((tensor) => {
      const [, layer, short = ''] = /^blk\.(\d+)\.(\w+)\.weight$/.exec(tensor.name) ?? [];
      const name =
        layer === undefined
          ? (WHOLE[tensor.name] ?? '')
          : `model.layers.${layer}.${PEFT_NAMES[short] ?? NORMS[short]}.weight`;
      const numbers = readValues(model, tensor);
      const isTurned = short === 'attn_q' || short === 'attn_k';
      return {
        name,
        shape: tensor.shape.toReversed(),
        values: isTurned ? toHalves(numbers, tensor.shape[0] ?? 1, HEADS) : numbers,
      };
    }),
  };
}
