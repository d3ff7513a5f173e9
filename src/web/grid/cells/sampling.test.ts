import { expect, it } from 'vitest';
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import { chooseColumns, toGreedy, toSamplingText, toSamplingWord, type ColumnOffer } from './sampling.ts';

function toOffer(id: string, settings: Partial<ChatRequest> = {}, model = 'm'): ColumnOffer {
  const request: ChatRequest = { model, messages: [], ...settings };
  return {
    own: { id, label: model, sampling: 'pane', request },
    greedy: { id, label: model, sampling: 'greedy', request: toGreedy(request) },
  };
}
const samplingOf = (offers: readonly ColumnOffer[], choices = {}): readonly (string | undefined)[] =>
  chooseColumns(offers, choices).map(({ sampling }) => sampling);

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

it.each([
  [0, 'greedy', 'greedy'],
  [0.7, 'sampled', 'temperature 0.7, sampled'],
  [undefined, 'default', 'default temperature'],
])('temperature %s is called so', (temperature, word, text) => {
  const request: ChatRequest = { model: 'm', messages: [], ...(temperature !== undefined && { temperature }) };
  expect([toSamplingWord(request), toSamplingText(request)]).toEqual([word, text]);
});
