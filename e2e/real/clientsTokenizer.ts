// The tokenizer of a GGUF file with a byte-level vocabulary, as transformers reads it: evaluation tools count tokens themselves.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHeaderWithLists } from '#engine/gguf/ggufFile.ts';

const [, , file = '', folder = ''] = process.argv;
const { values } = await readHeaderWithLists(file);
const read = (name: string): readonly unknown[] => values.get(`tokenizer.ggml.${name}`) as unknown[];
const tokens = read('tokens') as readonly string[];
const types = read('token_type') as readonly number[];
const CONTROL = 3;
const BYTE_LEVEL = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, 'tokenizer.json'),
  JSON.stringify({
    version: '1.0',
    added_tokens: tokens.flatMap((content, id) =>
      types[id] === CONTROL
        ? [{ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }]
        : [],
    ),
    pre_tokenizer: BYTE_LEVEL,
    decoder: BYTE_LEVEL,
    model: {
      type: 'BPE',
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: (read('merges') as readonly string[]).map((merge) => merge.split(' ')),
    },
  }),
);
const eos = values.get('tokenizer.ggml.eos_token_id');
writeFileSync(
  join(folder, 'tokenizer_config.json'),
  JSON.stringify({
    tokenizer_class: 'PreTrainedTokenizerFast',
    eos_token: typeof eos === 'number' ? tokens[eos] : undefined,
  }),
);
