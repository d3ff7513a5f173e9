// A base model before its training: its vocabulary, its template and random weights, as a GGUF file.
import { toTensorData } from '#engine/gguf/tensorNumbers.ts';
import { writeGguf, type GgufEntry } from '#engine/gguf/writeGguf.ts';
import { openRandom } from '#trainer/model/random.ts';
import { EMBEDDING, toWeightPlan } from '#trainer/model/tensorPlan.ts';
import { CHATML } from '#core/templates/templateText.ts';
import type { ModelShape } from '#trainer/shared/canTrain.ts';
import { CONTROL_TOKENS, PRE_TOKENIZER, USER_TOKENS, type Vocabulary } from './trainTokenizer.ts';

export type BaseShape = Pick<ModelShape, 'layers' | 'width' | 'heads' | 'innerWidth' | 'vocabulary' | 'context'>;

const EPSILON = 1e-5;
const ROPE_BASE = 10_000;
/** ggml's types of tokens. */
const TOKEN_TYPES = { normal: 1, control: 3, user: 4 } as const;
/** Small enough that all tokens are about equally likely at first. */
const EMBEDDING_SPREAD = 0.05;

function toFacts(name: string, shape: BaseShape, { tokens, merges }: Vocabulary): ReadonlyMap<string, GgufEntry> {
  const uint32 = (value: number): GgufEntry => ({ type: 'uint32', value });
  const text = (value: string): GgufEntry => ({ type: 'string', value });
  const typeOf = (token: string): number => {
    if (CONTROL_TOKENS.some((mark) => mark === token)) return TOKEN_TYPES.control;
    return USER_TOKENS.some((mark) => mark === token) ? TOKEN_TYPES.user : TOKEN_TYPES.normal;
  };
  const [endOfText, , endOfTurn] = CONTROL_TOKENS.map((mark) => tokens.indexOf(mark)) as [number, number, number];
  return new Map([
    ['general.architecture', text('llama')],
    ['general.type', text('model')],
    ['general.name', text(name)],
    ['general.quantization_version', uint32(2)],
    ['llama.context_length', uint32(shape.context)],
    ['llama.embedding_length', uint32(shape.width)],
    ['llama.block_count', uint32(shape.layers)],
    ['llama.feed_forward_length', uint32(shape.innerWidth)],
    ['llama.attention.head_count', uint32(shape.heads)],
    ['llama.attention.head_count_kv', uint32(shape.heads)],
    ['llama.attention.layer_norm_rms_epsilon', { type: 'float32', value: EPSILON }],
    ['llama.rope.freq_base', { type: 'float32', value: ROPE_BASE }],
    ['llama.rope.dimension_count', uint32(shape.width / shape.heads)],
    ['llama.vocab_size', uint32(tokens.length)],
    ['tokenizer.ggml.model', text('gpt2')],
    ['tokenizer.ggml.pre', text(PRE_TOKENIZER)],
    ['tokenizer.ggml.tokens', { type: 'strings', value: tokens }],
    ['tokenizer.ggml.token_type', { type: 'int32s', value: tokens.map(typeOf) }],
    ['tokenizer.ggml.merges', { type: 'strings', value: merges }],
    ['tokenizer.ggml.bos_token_id', uint32(endOfText)],
    ['tokenizer.ggml.eos_token_id', uint32(endOfTurn)],
    ['tokenizer.ggml.padding_token_id', uint32(endOfText)],
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: false }],
    ['tokenizer.chat_template', text(CHATML)],
  ] satisfies readonly (readonly [string, GgufEntry])[]);
}

/** The bytes of the file. The vocabulary decides how many tokens there are. */
export function toStartModel(name: string, wanted: BaseShape, vocabulary: Vocabulary, seed: number): Uint8Array {
  const shape: ModelShape = {
    ...wanted,
    vocabulary: vocabulary.tokens.length,
    keyHeads: wanted.heads,
    headWidth: wanted.width / wanted.heads,
    epsilon: EPSILON,
    ropeBase: ROPE_BASE,
    hasOutput: false,
  };
  const random = openRandom(seed);
  // What a layer adds to the state is small at first, so that deep models begin as shallow ones do.
  const added = 1 / Math.sqrt(2 * shape.layers);
  const tensors = [...toWeightPlan(shape).places.values()].map(({ name: tensor, rows, columns }) => {
    const isNorm = rows === 1;
    const lines = tensor === EMBEDDING ? shape.vocabulary : rows;
    const isAdded = /attn_output|ffn_down/.test(tensor);
    const scale = tensor === EMBEDDING ? EMBEDDING_SPREAD : (isAdded ? added : 1) / Math.sqrt(columns);
    const numbers = Float32Array.from({ length: lines * columns }, () =>
      isNorm ? 1 : (random() * 2 - 1) * scale * Math.sqrt(3),
    );
    const type = isNorm ? ('F32' as const) : ('F16' as const);
    return {
      name: tensor,
      shape: isNorm ? [columns] : [columns, lines],
      type,
      data: toTensorData(numbers, type),
    };
  });
  return writeGguf(toFacts(name, shape, vocabulary), tensors);
}
