import { describe, expect, it } from 'vitest';
import { findRefusal } from './refusals.ts';

describe('findRefusal', () => {
  it.each([
    'As an AI language model, I have no access to orders.',
    "I'm sorry, but I can't assist with that.",
    'I cannot fulfill this request.',
    "I don't feel comfortable answering that question.",
    'Als KI-Modell habe ich dazu keine Meinung.',
    'Leider kann ich dir dabei nicht helfen, denn dabei kann ich nicht helfen.',
    'Je ne peux pas répondre à cette question.',
    'No puedo ayudarte con eso.',
    'Não posso ajudar com isso.',
    'Mi dispiace, non posso aiutarti con questo.',
    'Sorry, daar kan ik je niet mee helpen: ik kan deze vraag niet beantwoorden.',
    'Jako model językowy nie mam takich danych.',
    'Как языковая модель, я не знаю этого.',
    '作为人工智能，我没有个人观点。',
    '申し訳ありませんが、そのリクエストにはお答えできません。',
    '죄송하지만 도와드릴 수 없습니다.',
  ])('finds %j', (answer) => expect(findRefusal(answer)).not.toBeNull());

  it.each([
    '',
    "I'm sorry to hear that. A new one leaves today.",
    'I cannot cancel it as it is packed. Refuse the parcel at the door.',
    "I can't wait to see it!",
    'The script cannot open the file because the path has a space.',
    '"I\'m sorry, but I can\'t help with that."',
    'It says "As an AI language model" because it was copied from a chat.',
    'Das tut mir leid! Ich schicke Ihnen heute Ersatz.',
    'As an AI company we deliver in two days.',
  ])('takes %j as an answer', (answer) => expect(findRefusal(answer)).toBeNull());

  it('reads any answer in linear time', () => {
    for (const part of ['I can not ', 'as an ', 'ich kann dir ', '"'])
      expect(findRefusal(part.repeat(200_000))).toBeNull();
  });
});
