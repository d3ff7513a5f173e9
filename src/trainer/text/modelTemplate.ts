import { openChatTemplate, type ChatTemplate } from '#engine/chatTemplate.ts';
import type { HeaderFacts } from '#trainer/shared/canTrain.ts';
import type { Tokenizer } from './tokenizer.ts';

/** The chat template in a model's file, with the marks of its tokenizer; ChatML if the file has none. */
export function openModelTemplate({ values }: HeaderFacts, { beginText, endText, markTexts }: Tokenizer): ChatTemplate {
  const template = values.get('tokenizer.chat_template');
  const marks = { bosText: beginText, eosText: endText, markTexts };
  return openChatTemplate(typeof template === 'string' ? template : null, marks);
}
