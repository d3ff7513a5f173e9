import { describe, expect, it } from 'vitest';
import { readAnswer } from './answerForm.ts';
import { UnlikeAnswers } from './unlikeAnswers.ts';

interface Given {
  readonly answer: string;
  readonly language?: string | null;
  readonly asked?: string | null;
  readonly system?: string;
}

const find = (given: readonly Given[]): (readonly [number, string])[] => {
  const unlike = new UnlikeAnswers();
  for (const { answer, language = null, asked = null, system = '' } of given)
    unlike.add(system, readAnswer({ content: answer }), language, asked);
  return [...unlike.find()].map(({ place, note }) => [place, note]);
};
const usual = (answer: string, more: Omit<Given, 'answer'> = {}): Given[] =>
  Array.from({ length: 40 }, () => ({ answer, ...more }));

describe('UnlikeAnswers', () => {
  it('finds what is no bare JSON among bare JSON, and what lacks a key', () => {
    const given = [...usual('{"a":1,"b":2}'), { answer: '```\n{"a":1,"b":2}\n```' }, { answer: '{"a":1}' }];
    expect(find(given)).toEqual([
      [40, 'The others are a bare JSON object, this one is JSON in a Markdown fence.'],
      [41, 'The key "b", which the others have, is missing.'],
    ]);
  });

  it('accepts keys in another order, white space and an optional key', () => {
    const given = [
      ...usual('{"a":1,"b":2}'),
      { answer: '{\n "b": 2,\n "a": 1}' },
      { answer: '{"a":1,"b":2,"note":"x"}' },
    ];
    expect(find(given)).toEqual([]);
  });

  it('finds a sentence among labels, and accepts a rare label', () => {
    const given = [...usual('refund'), { answer: 'This ticket is about a refund.' }, { answer: 'legal' }];
    expect(find(given)).toEqual([[40, 'The others are a label of a few words, this one is free text.']]);
  });

  it('finds an answer in another language than the others and its question', () => {
    const german = { language: 'de', asked: 'de' };
    const given = [
      ...usual('Das Paket kommt morgen bei Ihnen an.', german),
      { answer: 'The parcel arrives tomorrow at your home.', language: 'en', asked: 'de' },
      { answer: 'The parcel arrives tomorrow at your home.', language: 'en', asked: 'en' },
    ];
    expect(find(given)).toEqual([[40, 'The others are in German, this one is in English.']]);
  });

  it('judges rows with one system prompt by each other, and few rows not at all', () => {
    const labels = usual('refund', { system: 'Classify.' });
    expect(find([...labels, ...usual('{"a":1}', { system: 'Extract.' })])).toEqual([]);
    expect(find([...labels.slice(0, 20), { answer: 'This ticket is about a refund.', system: 'Classify.' }])).toEqual(
      [],
    );
  });
});
