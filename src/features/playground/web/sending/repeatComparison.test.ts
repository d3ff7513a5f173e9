import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE, type AssistantMessage } from '#core/stream/message.ts';
import { toPendingAnswer, type Answer } from '#features/playground/web/desk/desk.ts';
import { toVerdict } from './repeatComparison.ts';

const answer = (message: Partial<AssistantMessage>, more: Partial<Answer> = {}): Answer => ({
  ...toPendingAnswer('a', 'm', 0, { seed: 1 }),
  phase: 'done',
  message: { ...EMPTY_MESSAGE, ...message },
  ...more,
});

const said = (before: Answer, after: Answer): string => {
  const verdict = toVerdict(before, after);
  return verdict ? [`${verdict.kind}: ${verdict.text}.`, ...verdict.notes].join(' ') : 'nothing';
};

const call = (args: string, id = 'c') => [{ id, name: 'f', arguments: args }];

it.each<[string, Answer, Answer]>([
  ['same: identical.', answer({ text: 'one two' }), answer({ text: 'one two' })],
  ['same: identical.', answer({}), answer({})],
  [
    'different: first difference at word 2. The service does not say whether it changed: there is no fingerprint ' +
      'to compare.',
    answer({ text: 'one two' }),
    answer({ text: 'one three' }),
  ],
  [
    'different: first difference at word 1 of the reasoning. The service does not say whether it changed: there ' +
      'is no fingerprint to compare.',
    answer({ text: 'x', reasoning: 'a' }),
    answer({ text: 'x', reasoning: 'b' }),
  ],
  [
    'different: the texts are identical, the tool calls differ. The service does not say whether it changed: ' +
      'there is no fingerprint to compare.',
    answer({ toolCalls: call('{"a":1}') }),
    answer({ toolCalls: call('{"a":2}') }),
  ],
])('%s', (text, before, after) => expect(said(before, after)).toBe(text));

it('does not count the ids of calls, which services make up', () => {
  expect(said(answer({ toolCalls: call('{}') }), answer({ toolCalls: call('{}', 'other') }))).toBe('same: identical.');
});

describe('an answer that did not come to its end', () => {
  it('is the same as far as it goes', () => {
    expect(said(answer({ text: 'one tw' }, { phase: 'stopped' }), answer({ text: 'one two' }))).toBe(
      'same: identical up to the end of the shorter one.',
    );
    expect(said(answer({ text: 'one two' }), answer({ text: 'one' }, { phase: 'interrupted' }))).toBe(
      'same: identical up to the end of the shorter one.',
    );
  });

  it('differs where it does', () =>
    expect(said(answer({ text: 'one tx' }, { phase: 'stopped' }), answer({ text: 'one two' }))).toMatch(
      /^different: first difference at word 2\./,
    ));

  it('is compared with nothing where there is nothing, and not before it has settled', () => {
    expect(said(answer({ text: 'one' }), answer({}, { phase: 'failed' }))).toBe(
      'unknown: the repeat returned no text to compare.',
    );
    expect(said(answer({}, { phase: 'failed' }), answer({ text: 'one' }))).toBe(
      'unknown: the earlier answer has no text to compare with.',
    );
    expect(said(answer({ text: 'one' }), answer({ text: 'on' }, { phase: 'streaming' }))).toBe('nothing');
  });
});

it('names what may explain a difference', () => {
  const differ = (
    before: Partial<Answer>,
    after: Partial<Answer>,
    prints: readonly [string | null, string | null],
  ): readonly string[] =>
    toVerdict(
      answer({ text: 'a', fingerprint: prints[0] }, before),
      answer({ text: 'b', fingerprint: prints[1] }, after),
    )?.notes ?? [];
  expect(differ({}, {}, ['fp_a', 'fp_b'])).toEqual(["The service's fingerprint changed: fp_a → fp_b."]);
  expect(differ({}, {}, ['fp_a', 'fp_a'])).toEqual(["The service's fingerprint is the same: fp_a."]);
  expect(differ({ seed: null }, { seed: 5 }, ['fp_a', 'fp_a'])).toEqual(['The seeds differ: none → 5.']);
  expect(differ({ seed: null }, { seed: null }, ['fp_a', 'fp_a'])).toEqual([
    'No seed was sent, so the service chose one for each.',
  ]);
});

it('says that the service changed even where the answer did not', () => {
  expect(said(answer({ text: 'a', fingerprint: 'fp_a' }), answer({ text: 'a', fingerprint: 'fp_b' }))).toBe(
    "same: identical. The service's fingerprint changed: fp_a → fp_b.",
  );
});
