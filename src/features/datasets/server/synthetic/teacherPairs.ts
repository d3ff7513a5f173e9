// What a teacher is asked for questions and answers, and what is taken of its reply. Pure.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { arrayOr, isObject, parseJson } from '#core/contract/readJson.ts';
import type { SyntheticOrder } from './syntheticForm.ts';

export interface Pair {
  readonly question: string;
  readonly answer: string;
}

/** Characters of a passage, which with rules and reply must fit into a small context. */
const PASSAGE = 3_000;
/** Pairs of one reply: more make a reply long, and the last ones poor. */
export const PAIRS_AT_ONCE = 5;
/** Questions that a teacher is told not to repeat. */
const TOLD = 20;

/** Texts in passages of whole paragraphs or lines, as long as they fit. */
export function toPassages(texts: readonly string[]): string[] {
  const passages: string[] = [];
  for (const text of texts) {
    let passage = '';
    for (const part of text.split(/\n\s*\n|\n(?=\s*[{#])/)) {
      for (let at = 0; at === 0 || at < part.length; at += PASSAGE) {
        const piece = part.slice(at, at + PASSAGE).trim();
        if (passage !== '' && passage.length + piece.length > PASSAGE) {
          passages.push(passage);
          passage = '';
        }
        passage += passage === '' ? piece : `\n\n${piece}`;
      }
    }
    if (passage.trim() !== '') passages.push(passage);
  }
  return passages;
}

const SCHEMA = {
  type: 'object',
  properties: {
    pairs: {
      type: 'array',
      items: {
        type: 'object',
        properties: { question: { type: 'string' }, answer: { type: 'string' } },
        required: ['question', 'answer'],
        additionalProperties: false,
      },
    },
  },
  required: ['pairs'],
  additionalProperties: false,
};

const toSection = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\n\n${title}\n${lines.join('\n')}`;

/** Asks for `count` pairs. `passage` null: the name, rules and examples say what about. `known`: questions that are there. */
export function toPairsRequest(
  order: Omit<SyntheticOrder, 'texts'>,
  model: string,
  passage: string | null,
  known: readonly string[],
  count: number,
): ChatRequest {
  const {
    rules = [],
    question_format,
    answer_format,
    example_questions = [],
    example_answers = [],
    temperature,
  } = order;
  const examples = example_questions.map((question, at) => `Q: ${question}\nA: ${example_answers[at] ?? '...'}`);
  const source = passage === null ? ` about ${JSON.stringify(order.name)}` : ' that the text below answers';
  const system =
    `You write training rows for a language model: questions of users${source}, each with the answer that the model should ` +
    'give. Each question stands alone and names what it is about; no answer says more than is true.' +
    toSection(
      'Rules:',
      rules.map((rule) => `- ${rule}`),
    ) +
    toSection('Form of the questions:', question_format === undefined ? [] : [question_format]) +
    toSection('Form of the answers:', answer_format === undefined ? [] : [answer_format]) +
    toSection('Examples:', examples) +
    '\n\nReply with JSON alone: {"pairs": [{"question": "...", "answer": "..."}]}';
  const asked =
    (passage === null ? '' : `Text:\n${passage}\n\n`) +
    `Write ${count} ${count === 1 ? 'pair' : 'pairs'}.` +
    toSection(
      'Do not repeat these questions:',
      known.slice(-TOLD).map((question) => `- ${question}`),
    );
  return {
    model,
    temperature: temperature ?? 0.7,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: asked },
    ],
    response_format: { type: 'json_schema', json_schema: { name: 'pairs', schema: SCHEMA, strict: true } },
  };
}

/** The pairs of a reply; none where it is not what was asked for. */
export function parsePairs(reply: string): Pair[] {
  const json = /\{[^]*\}/.exec(reply)?.[0] ?? '';
  const value = parseJson(json);
  return arrayOr(isObject(value) ? value['pairs'] : null).flatMap((pair) => {
    if (!isObject(pair)) return [];
    const [question, answer] = [pair['question'], pair['answer']];
    const isPair = typeof question === 'string' && typeof answer === 'string';
    return isPair && question.trim() !== '' && answer.trim() !== ''
      ? [{ question: question.trim(), answer: answer.trim() }]
      : [];
  });
}
