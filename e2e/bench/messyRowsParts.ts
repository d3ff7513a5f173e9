// Right rows of each part, from which the faults are made.
import { CODE, CODE_CONTEXTS, fillCode, toToolTalk, TOOLS, type ToolTalk } from './messyRowsCode.ts';
import {
  DETAILS,
  ENDS,
  OPENINGS,
  SMALL_TALK,
  SUPPORT,
  SUPPORT_MORE,
  TICKETS,
  toOrderMail,
} from './messyRowsEnglish.ts';
import { GERMAN, GERMAN_ENDS, GERMAN_OPENINGS } from './messyRowsGerman.ts';
import { decoy, PRODUCTS, type Draft, type Draw, type Message, type Part, type Plant } from './messyRowsKinds.ts';
import { INTENTS, LANGUAGES } from './messyRowsLanguages.ts';

const SYSTEMS: Readonly<Record<Part, string | null>> = {
  tickets: `Classify the support ticket. Answer with one word: ${Object.keys(TICKETS).join(', ')}.`,
  orders:
    'Extract the order from the mail. Answer with a JSON object of product, quantity, urgency and, if there is one, note.',
  'support-de': 'You work in the customer service of an online shop. Always answer in German.',
  support: 'You work in the customer service of an online shop. Be friendly and brief.',
  tools: 'You help customers of an online shop. Use the tools before you answer.',
  code: 'You are a patient programmer who answers questions of colleagues.',
  intents: 'Read the message of a customer in any language. Answer with a JSON object: intent and language (ISO code).',
  talk: null,
};

/** Letters below which nobody can say the language. A character of Chinese, Japanese or Korean says as much as three. */
const MIN_LETTERS = 14;

function countLetters(text: string): number {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  return (text.match(/\p{L}/gu)?.length ?? 0) + dense * 2;
}

const isTooShort = (questions: readonly string[]): boolean => countLetters(questions.join(' ')) < MIN_LETTERS;

/** A talk of questions and answers in turn. */
export function toDraft(
  part: Part,
  texts: readonly string[],
  language: string | null,
  plants: readonly Plant[] = [],
): Draft {
  const system = SYSTEMS[part];
  const turns = texts.map((content, at): Message => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
  return {
    part,
    messages: system === null ? turns : [{ role: 'system', content: system }, ...turns],
    language: isTooShort(texts.filter((_, at) => at % 2 === 0)) ? null : language,
    plants,
  };
}

/** Joins what is not empty. */
const join = (parts: readonly string[], between = ' '): string => parts.filter(Boolean).join(between);

export interface Ticket {
  readonly text: string;
  readonly label: string;
}

export function toTicket(draw: Draw, labels: readonly string[]): Ticket {
  const label = draw.pick(labels);
  const text = draw.fill(
    join(
      [draw.pick(OPENINGS), draw.pick(TICKETS[label] ?? []), draw.pick(DETAILS), draw.pick(ENDS)],
      draw.pick([' ', '\n']),
    ),
  );
  // Some people never press the shift key.
  return { text: draw.chance(0.1) ? text.toLowerCase() : text, label };
}

/** All but the rare one. */
export const LABELS: readonly string[] = Object.keys(TICKETS).filter((label) => label !== 'legal');

export const toOrder = (draw: Draw): { readonly text: string; readonly order: Readonly<Record<string, unknown>> } => {
  const { text, order } = toOrderMail(draw, PRODUCTS);
  return { text, order: { ...order } };
};

export interface Wish {
  readonly text: string;
  readonly intent: string;
  readonly reply: string;
}

/** What somebody writes in one of LANGUAGES. */
export function toWish(draw: Draw, language: string): Wish {
  const texts = LANGUAGES[language];
  if (!texts) throw new RangeError(`No texts in ${language}.`);
  const at = draw.below(texts.wishes.length);
  const [wish, reply] = texts.wishes[at] ?? ['', ''];
  const text = draw.fill(join([draw.pick(texts.openings), wish, draw.pick(texts.ends)], draw.pick([' ', '\n'])));
  return { text, intent: INTENTS[at] ?? '', reply };
}

export const toGermanQuestion = (draw: Draw, question: string): string =>
  draw.fill(join([draw.pick(GERMAN_OPENINGS), question, draw.pick(GERMAN_ENDS)]));

const LOANWORDS = /Update|Account|Slot|Sale|App|Sleep|Downloads|Ltd/;

export function toGerman(draw: Draw): Draft {
  const [question, answer] = draw.pick(GERMAN);
  const plants = [
    ...(answer.length < 12 ? [decoy('unlike-answer', 'short answer')] : []),
    ...(LOANWORDS.test(question + answer) ? [decoy('unlike-answer', 'loanwords')] : []),
  ];
  const [asked = '', answered = ''] = draw.fillAll([question, answer]);
  return toDraft('support-de', [toGermanQuestion(draw, asked), answered], 'de', plants);
}

export const dress = (draw: Draw, text: string): string =>
  draw.fill(join([draw.pick(OPENINGS), text, draw.pick(ENDS)]));

export function toSupport(draw: Draw): Draft {
  const more = draw.chance(0.3) ? draw.pick(SUPPORT_MORE) : [];
  const [question = '', ...others] = draw.fillAll([...draw.pick(SUPPORT), ...more]);
  return toDraft('support', [dress(draw, question), ...others], 'en');
}

export function toCode(draw: Draw): Draft {
  const [question, answer] = fillCode(draw, draw.pick(CODE));
  return toDraft('code', [draw.fill(join([question, draw.pick(CODE_CONTEXTS)])), answer], 'en');
}

export function toSmallTalk(draw: Draw): Draft {
  const [question = '', answer = ''] = draw.fillAll(draw.pick(SMALL_TALK));
  return toDraft('talk', [dress(draw, question), answer], 'en');
}

export interface Call {
  readonly id: string;
  readonly talk: ToolTalk;
}

export const toCall = (draw: Draw): Call => ({
  id: draw.pick([`call_${draw.text('alnum', 24)}`, `call_${draw.between(1, 9)}`, `toolu_${draw.text('alnum', 20)}`]),
  talk: toToolTalk(draw),
});
export const toCallMessage = (...calls: readonly Call[]): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: calls.map(({ id, talk }) => ({
    id,
    type: 'function',
    function: { name: talk.tool, arguments: JSON.stringify(talk.input) },
  })),
});
export const toResultMessage = ({ id, talk }: Call): Message => ({
  role: 'tool',
  tool_call_id: id,
  content: talk.result,
});
export const toTurn = (call: Call): readonly Message[] => [
  { role: 'user', content: call.talk.question },
  toCallMessage(call),
  toResultMessage(call),
  { role: 'assistant', content: call.talk.answer },
];

export function toToolDraft(messages: readonly Message[], plants: readonly Plant[] = []): Draft {
  const questions = messages.flatMap(({ role, content }) => (role === 'user' ? [content ?? ''] : []));
  return {
    part: 'tools',
    messages: [{ role: 'system', content: SYSTEMS.tools }, ...messages],
    tools: TOOLS,
    language: isTooShort(questions) ? null : 'en',
    plants,
  };
}
