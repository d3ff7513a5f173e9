import { expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import { toPendingAnswer, type Answer } from './desk.ts';
import { toSampleSet, toSampleText, toSeeds } from './samples.ts';

const sample = (id: string, text: string, phase: Answer['phase'] = 'done', batch: string | null = 'b'): Answer => ({
  ...toPendingAnswer(id, 'm', 0, { batch }),
  phase,
  message: { ...EMPTY_MESSAGE, text },
});

const describeAll = (answers: readonly Answer[], shown = 0): string | null => {
  const set = toSampleSet(answers, shown);
  return set && toSampleText(set);
};

it('counts seeds up, or has none', () => {
  expect(toSeeds(40, 3)).toEqual([40, 41, 42]);
  expect(toSeeds(-1, 2)).toEqual([-1, 0]);
  expect(toSeeds(null, 2)).toEqual([null, null]);
});

it('knows only answers that were asked for together', () => {
  expect(toSampleSet([sample('a', 'x')], 0)).toBeNull();
  expect(toSampleSet([sample('a', 'x', 'done', null), sample('b', 'x', 'done', null)], 0)).toBeNull();
  const mixed = [
    sample('old', 'x', 'done', null),
    sample('a', 'x'),
    sample('other', 'x', 'done', 'c'),
    sample('b', 'y'),
  ];
  expect(toSampleSet(mixed, 0)).toBeNull();
  expect(toSampleSet(mixed, 3)).toMatchObject({
    total: 2,
    place: 2,
    groups: [
      { text: 'x', version: 1, isShown: false },
      { text: 'y', version: 3, isShown: true },
    ],
  });
});

it.each<[string, readonly Answer[]]>([
  ['all 2 equal', [sample('a', 'x'), sample('b', ' x\n')]],
  ['all 3 different', [sample('a', 'x'), sample('b', 'y'), sample('c', 'z')]],
  ['7 distinct answers (2 + 1 + 1 + 1 + 1 + 1 + …)', [...'xxyzuvwt'].map((text, index) => sample(String(index), text))],
  ['2 distinct answers (2 + 1)', [sample('a', 'y'), sample('b', 'x'), sample('c', 'x')]],
  ['all 2 equal', [sample('a', '{"kind":"bug","rank":1}'), sample('b', '{\n  "rank": 1.0,\n  "kind": "bug"\n}')]],
  ['all 2 different', [sample('a', '{"id":12345678901234567890}'), sample('b', '{"id":12345678901234567891}')]],
  ['1 answer · 1 of 2 to come', [sample('a', 'x'), sample('b', '', 'queued')]],
  [
    'all 2 equal · 2 failed · 1 stopped',
    [
      sample('a', 'x'),
      sample('b', 'x'),
      sample('c', '', 'failed'),
      sample('d', 'x', 'interrupted'),
      sample('e', 'x', 'stopped'),
    ],
  ],
  ['2 failed', [sample('a', '', 'failed'), sample('b', '', 'failed')]],
])('%s', (text, answers) => expect(describeAll(answers)).toBe(text));

it('puts the most frequent answer first and points to its first version', () => {
  const set = toSampleSet([sample('a', 'y'), sample('f', '', 'failed'), sample('b', 'x'), sample('c', 'x')], 3);
  expect(set?.groups).toEqual([
    { text: 'x', count: 2, version: 2, isShown: true },
    { text: 'y', count: 1, version: 0, isShown: false },
  ]);
});

it('tells answers apart that differ in their calls alone', () => {
  const call = (args: string): Answer => ({
    ...sample(args, ''),
    message: { ...EMPTY_MESSAGE, toolCalls: [{ id: args, name: 'f', arguments: args }] },
  });
  expect(describeAll([call('{"a":1}'), call('{"a":2}')])).toBe('all 2 different');
  expect(describeAll([call('{"a":1,"b":2}'), call(' {"b": 2, "a": 1}'), call('{"a":1}')])).toBe(
    '2 distinct answers (2 + 1)',
  );
  expect(toSampleSet([call(' {"a": 1}'), call('{"a":1}')], 0)?.groups).toEqual([
    { text: 'f( {"a": 1})', count: 2, version: 0, isShown: true },
  ]);
});
