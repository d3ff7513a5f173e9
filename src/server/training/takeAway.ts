// A finished model of this studio for servers elsewhere: what its file says of its template, as a Modelfile and commands.
import { toTakeAway, type TakeAway } from '#shared/training/nano/takeAway.ts';
import { openChatTemplate } from '#server/engine/chatTemplate.ts';
import type { ModelFile } from '#server/engine/engine.ts';
import { readHeader } from './ggufFile.ts';

/** Of a file that says nothing of its context. */
const USUAL_CONTEXT = 2048;

/** Reads the header of the model's file. Throws GgufError, or the error of a disk that fails. */
export async function readTakeAway({
  id,
  path,
  adapter,
}: Pick<ModelFile, 'id' | 'path' | 'adapter'>): Promise<TakeAway> {
  const { values } = await readHeader(path);
  const tokens = values.get('tokenizer.ggml.tokens');
  const textOf = (name: string): string => {
    const token = values.get(`tokenizer.ggml.${name}`);
    const text: unknown = Array.isArray(tokens) && typeof token === 'number' ? tokens[token] : null;
    return typeof text === 'string' ? text : '';
  };
  const bosText = textOf('bos_token_id');
  const endText = textOf('eos_token_id');
  const source = values.get('tokenizer.chat_template');
  const marks = { bosText, eosText: endText, markTexts: [] };
  const template = openChatTemplate(typeof source === 'string' ? source : null, marks);
  const said = values.get(`${String(values.get('general.architecture'))}.context_length`);
  const context = typeof said === 'number' ? said : USUAL_CONTEXT;
  const beginText = values.get('tokenizer.ggml.add_bos_token') === true ? bosText : '';
  return toTakeAway({ name: id, file: path, adapter, context, endText, beginText }, (messages) =>
    template.render([...messages], []).join(''),
  );
}
