import { expect, it } from 'vitest';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import {
  chooseColumns,
  findOfferProblems,
  toGreedy,
  toOtherSampling,
  toSamplingText,
  toSamplingWord,
  toSettingsText,
  type ColumnOffer,
} from './sampling.ts';

function toOffer(id: string, settings: Partial<ChatRequest> = {}, model = 'm'): ColumnOffer {
  const request: ChatRequest = { model, messages: [], ...settings };
  return {
    neutral: { id, label: model, sampling: 'neutral', request: { model, messages: [], temperature: 0 } },
    pane: {
      own: { id, label: model, sampling: 'pane', request },
      greedy: { id, label: model, sampling: 'greedy', request: toGreedy(request) },
    },
    problem: null,
  };
}
const samplingOf = (offers: readonly ColumnOffer[], choices = {}): readonly (string | undefined)[] =>
  chooseColumns(offers, { sampling: choices }).map(({ sampling }) => sampling);

it('a greedy request has temperature 0 and nothing else of sampling', () => {
  expect(toGreedy({ model: 'm', messages: [], temperature: 1.8, top_p: 0.5, seed: 7, frequency_penalty: 1 })).toEqual({
    model: 'm',
    messages: [],
    temperature: 0,
    frequency_penalty: 1,
  });
});

it('columns are greedy, unless a person chooses otherwise', () => {
  const offers = [toOffer('a', { temperature: 0.7 }), toOffer('b', {}, 'other')];
  expect(samplingOf(offers)).toEqual(['greedy', 'greedy']);
  expect(samplingOf(offers, { a: 'pane' })).toEqual(['pane', 'greedy']);
});

it('panes of one model that differ only in sampling keep it', () => {
  const offers = [toOffer('a', { temperature: 0.2 }), toOffer('b', { temperature: 1 }), toOffer('c', {}, 'other')];
  expect(samplingOf(offers)).toEqual(['pane', 'pane', 'greedy']);
  expect(samplingOf(offers, { b: 'greedy' })).toEqual(['pane', 'greedy', 'greedy']);
  expect(samplingOf([toOffer('a', { temperature: 1 }), toOffer('b', { temperature: 1 })])).toEqual([
    'greedy',
    'greedy',
  ]);
});

const LEFT = { max_completion_tokens: 5, frequency_penalty: 2 };

it('over validation rows a column sends temperature 0 and nothing that was left in its pane', () => {
  const setup = { isEvaluation: true } as const;
  const [column] = chooseColumns([toOffer('a', LEFT)], setup);
  expect(column?.request).toEqual({ model: 'm', messages: [], temperature: 0 });
  expect(column && [toSettingsText(column, setup), toOtherSampling(column, setup)]).toEqual([
    'neutral settings',
    'pane',
  ]);
});

it('over validation rows the head names what a person chose to send', () => {
  const setup = { isEvaluation: true, sampling: { a: 'pane' } } as const;
  const [column] = chooseColumns([toOffer('a', LEFT), toOffer('b', {}, 'other')], setup);
  expect(column && [toSettingsText(column, setup), toOtherSampling(column, setup)]).toEqual([
    'not neutral: frequency penalty 2, max 5 tokens',
    'neutral',
  ]);
});

it('over validation rows panes of one model with other settings keep them', () => {
  const offers = [toOffer('a'), toOffer('b', LEFT), toOffer('c', LEFT, 'other')];
  expect(chooseColumns(offers, { isEvaluation: true }).map(({ sampling }) => sampling)).toEqual([
    'pane',
    'pane',
    'neutral',
  ]);
});

it('a pane whose settings cannot be sent answers validation rows all the same', () => {
  const offer: ColumnOffer = { ...toOffer('a'), pane: null, problem: 'Tools: not valid JSON.' };
  expect([chooseColumns([offer]), findOfferProblems([offer], {})]).toEqual([[], ['Tools: not valid JSON.']]);
  const setup = { isEvaluation: true } as const;
  expect([chooseColumns([offer], setup), findOfferProblems([offer], setup)]).toEqual([[offer.neutral], []]);
});

it.each([
  [0, 'greedy', 'greedy'],
  [0.7, 'sampled', 'temperature 0.7, sampled'],
  [undefined, 'default', 'default temperature'],
])('temperature %s is called so', (temperature, word, text) => {
  const request: ChatRequest = { model: 'm', messages: [], ...(temperature !== undefined && { temperature }) };
  expect([toSamplingWord(request), toSamplingText(request)]).toEqual([word, text]);
});
