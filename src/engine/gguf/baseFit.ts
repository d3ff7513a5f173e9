// Whether a GGUF file is the base model that a run was trained on, by what the run's folder says of it: its configuration,
// its tokenizer, its chat template. A base of the same shapes but another vocabulary answers rubbish. Pure.
import { arrayOr, isObject, ownField, textOr, type JsonObject } from '#core/contract/readJson.ts';
import { toArchitecture } from './families.ts';
import type { GgufHeader } from './ggufHeader.ts';

/** A token that a tokenizer knows as a whole. */
interface AddedToken {
  readonly id: number;
  readonly text: string;
  readonly isSpecial: boolean;
}

export interface FolderFacts {
  /** config.json, or what the run recorded of it, nested or with dotted names; null: nothing. */
  readonly config: JsonObject | null;
  /** tokenizer.json; null: none. */
  readonly tokenizer: JsonObject | null;
  readonly tokenizerConfig: JsonObject | null;
  /** chat_template.jinja, which counts more than that of tokenizer_config.json; null: none. */
  readonly chatTemplate: string | null;
}

export interface BaseFit {
  /** Why it can't be the base; null: nothing speaks against it. */
  readonly refusal: string | null;
  /** What a person should know before choosing it. */
  readonly notes: readonly string[];
  /** The run's own template to answer with; null: the base's. */
  readonly chatTemplate: string | null;
}

/** A share of tokens that differ: added ones may have other texts in a GGUF file, and another tokenizer differs in most. */
const OTHER_TOKENIZER = 0.01;

/** Tokens that llama.cpp ends an answer at by their names. src/llama-vocab.cpp */
const END_TEXTS: ReadonlySet<string> = new Set(
  (
    '<|eot_id|> <|im_end|> <|end|> <|return|> <|call|> <|flush|> <|calls|> <end_of_turn> <|endoftext|> ' +
    '</s> <|eom_id|> <EOT> _<EOT> [EOT] [EOS] <｜end▁of▁sentence｜> <end_of_utterance> <turn|> ' +
    '<|end_of_text|>'
  ).split(' '),
);

const WHOLE_TYPES: ReadonlySet<unknown> = new Set([3, 4]);

/** Of models for images the part for texts. */
const toTextConfig = (config: JsonObject): JsonObject => {
  const inner = ownField(config, 'text_config');
  return isObject(inner) ? { ...config, ...inner } : config;
};

/** `a.b` as a name of its own or as a path; undefined: neither. */
function readPath(config: JsonObject, path: string): unknown {
  const flat = ownField(config, path) ?? ownField(config, `text_config.${path}`);
  if (flat !== undefined) return flat;
  let at: unknown = toTextConfig(config);
  for (const name of path.split('.')) at = isObject(at) ? ownField(at, name) : undefined;
  return at;
}

/** The base of the rotation of positions, as transformers 4 and 5 write it; null: not said. */
export function readRopeBase(config: JsonObject): number | null {
  const found = ['rope_theta', 'rope_parameters.rope_theta', 'rope_parameters.full_attention.rope_theta']
    .map((path) => readPath(config, path))
    .find((value) => typeof value === 'number');
  return typeof found === 'number' ? found : null;
}

/** The texts of the tokens by their numbers. */
export function readTokens(tokenizer: JsonObject): {
  readonly tokens: ReadonlyMap<number, string>;
  readonly added: readonly AddedToken[];
} {
  const model = ownField(tokenizer, 'model');
  const vocabulary = isObject(model) ? ownField(model, 'vocab') : null;
  const tokens = new Map<number, string>();
  if (Array.isArray(vocabulary))
    for (const [id, entry] of vocabulary.entries()) tokens.set(id, textOr(arrayOr(entry)[0], ''));
  else if (isObject(vocabulary))
    for (const [text, id] of Object.entries(vocabulary)) if (typeof id === 'number') tokens.set(id, text);
  const added = arrayOr(ownField(tokenizer, 'added_tokens'))
    .filter(isObject)
    .flatMap((entry): AddedToken[] => {
      const { id, content, special } = entry;
      return typeof id === 'number' && typeof content === 'string'
        ? [{ id, text: content, isSpecial: special === true }]
        : [];
    });
  for (const { id, text } of added) tokens.set(id, text);
  return { tokens, added };
}

/** The template of a folder; of several the default one; null: none. */
export function readChatTemplate({ chatTemplate, tokenizerConfig }: FolderFacts): string | null {
  if (chatTemplate !== null) return chatTemplate;
  const field = tokenizerConfig && ownField(tokenizerConfig, 'chat_template');
  if (typeof field === 'string') return field;
  const named = arrayOr(field)
    .filter(isObject)
    .find(({ name }) => name === 'default');
  return named ? textOr(named['template'], null) : null;
}

/** The text of a special token, such as `eos_token`; null: not said. */
export function readSpecial(tokenizerConfig: JsonObject | null, name: string): string | null {
  const value = tokenizerConfig && ownField(tokenizerConfig, name);
  return textOr(isObject(value) ? value['content'] : value, null);
}

const listOf = (header: GgufHeader, name: string): readonly unknown[] => arrayOr(header.values.get(name));

function compareConfig(
  config: JsonObject,
  base: GgufHeader,
): { readonly refusal: string | null; readonly notes: string[] } {
  const architecture = String(base.values.get('general.architecture') ?? 'unknown');
  const types = [ownField(config, 'model_type'), readPath(config, 'model_type')].filter(
    (type) => typeof type === 'string',
  );
  const families = types.flatMap((type) => toArchitecture(type) ?? []);
  const notes: string[] = [];
  const [type = ''] = types;
  if (families.length > 0 && !families.includes(architecture))
    return {
      refusal: `The run was trained on a model of the type ${type}, and this one is of the family ${architecture}.`,
      notes,
    };
  const sizes = [
    ['num_hidden_layers', 'block_count', 'layers'],
    ['hidden_size', 'embedding_length', 'numbers for a token'],
    ['num_attention_heads', 'attention.head_count', 'attention heads'],
    ['num_key_value_heads', 'attention.head_count_kv', 'heads of keys and values'],
  ] as const;
  for (const [name, key, words] of sizes) {
    const [own, there] = [readPath(config, name), base.values.get(`${architecture}.${key}`)];
    if (typeof own === 'number' && typeof there === 'number' && own !== there)
      return { refusal: `The run’s base model has ${own} ${words} (${name}), and this one has ${there}.`, notes };
  }
  const [size, count] = [readPath(config, 'vocab_size'), listOf(base, 'tokenizer.ggml.tokens').length];
  if (typeof size === 'number' && count > 0 && size > count)
    return { refusal: `The run’s base model has ${size} tokens (vocab_size), and this one has ${count}.`, notes };
  if (typeof size === 'number' && count > size)
    notes.push(`The run’s base model has ${size} tokens (vocab_size), and this one has ${count}.`);
  const rope = readRopeBase(config);
  const stored = base.values.get(`${architecture}.rope.freq_base`) ?? 10_000;
  if (rope !== null && typeof stored === 'number' && Math.abs(rope / stored - 1) > 1e-4)
    notes.push(
      `The run’s base model has a rope_theta of ${rope}, and this file ${stored}: long texts go wrong. Convert the base again.`,
    );
  return { refusal: null, notes };
}

/** GGUF files write the blank of sentencepiece as a blank in added tokens. */
const toPlain = (text: string): string => text.replaceAll('\u2581', ' ');

function compareTokens(
  tokenizer: JsonObject,
  base: GgufHeader,
): { readonly refusal: string | null; readonly notes: string[] } {
  const there = listOf(base, 'tokenizer.ggml.tokens');
  const { tokens } = readTokens(tokenizer);
  if (there.length === 0 || tokens.size === 0) return { refusal: null, notes: [] };
  let count = 0;
  let first: string | null = null;
  for (const [id, text] of tokens) {
    const other = there[id];
    if (typeof other === 'string' && toPlain(other) === toPlain(text)) continue;
    count += 1;
    first ??= `token ${id} is ${JSON.stringify(text.slice(0, 40))} in the run and ${
      typeof other === 'string' ? JSON.stringify(other.slice(0, 40)) : 'not there'
    } in this file`;
  }
  if (first === null) return { refusal: null, notes: [] };
  if (count > tokens.size * OTHER_TOKENIZER)
    return {
      refusal: `The run was trained with another tokenizer: ${first}, and so are ${count} of ${tokens.size}.`,
      notes: [],
    };
  return { refusal: null, notes: [`Of the tokenizer’s ${tokens.size} tokens ${count} differ: ${first}.`] };
}

/** The marks that a template writes and the base does not know as one token. */
function findMissingMark(template: string, facts: FolderFacts, base: GgufHeader): string | null {
  const { added } = facts.tokenizer ? readTokens(facts.tokenizer) : { added: [] };
  const types = listOf(base, 'tokenizer.ggml.token_type');
  const whole = new Set(
    listOf(base, 'tokenizer.ggml.tokens').filter((_, id) => types.length === 0 || WHOLE_TYPES.has(types[id])),
  );
  return added.find(({ text }) => template.includes(text) && !whole.has(text))?.text ?? null;
}

/** `base`: its header with the items of its lists. */
export function judgeBase(facts: FolderFacts, base: GgufHeader): BaseFit {
  const none = { refusal: null, notes: [] };
  const byConfig = facts.config ? compareConfig(facts.config, base) : none;
  const byTokens = facts.tokenizer ? compareTokens(facts.tokenizer, base) : none;
  const refusal = byConfig.refusal ?? byTokens.refusal;
  const notes: string[] = [...byConfig.notes, ...byTokens.notes];
  if (refusal !== null) return { refusal, notes: [], chatTemplate: null };

  const end = readSpecial(facts.tokenizerConfig, 'eos_token');
  const endId = base.values.get('tokenizer.ggml.eos_token_id');
  const baseEnd = typeof endId === 'number' ? listOf(base, 'tokenizer.ggml.tokens')[endId] : undefined;
  if (end !== null && typeof baseEnd === 'string' && end !== baseEnd && !END_TEXTS.has(end))
    notes.push(`The run ends its answers with ${end}, and this file with ${baseEnd}: answers may not stop.`);

  const own = readChatTemplate(facts);
  if (own === null || own.trim() === textOr(base.values.get('tokenizer.chat_template'), '').trim())
    return { refusal, notes, chatTemplate: null };
  const missing = findMissingMark(own, facts, base);
  if (missing === null)
    return {
      refusal,
      notes: [...notes, 'The run’s chat template is not that of this file. Its own is used.'],
      chatTemplate: own,
    };
  return {
    refusal,
    notes: [
      ...notes,
      `The run’s chat template is not that of this file, and can’t be used: ${missing} is no token of its own here. Answers will be worse.`,
    ],
    chatTemplate: null,
  };
}
