import { expect, it } from 'vitest';
import { parseTurn } from './answerRecords.ts';
import { toPendingAnswer } from '#features/playground/web/desk/desk.ts';

const version = (id: string) => ({ ...toPendingAnswer(id, 'm', 5), phase: 'done' });

it('takes an answer with nothing in it for interrupted: nothing is known', () => {
  expect(parseTurn({ id: 'a', role: 'assistant' })).toEqual({
    id: 'a',
    role: 'assistant',
    versions: [{ ...toPendingAnswer('a', '', 0), phase: 'interrupted' }],
    shown: 0,
  });
});

it.each<[object, object]>([
  [{ phase: 'thinking' }, { phase: 'interrupted' }],
  [{ phase: '__proto__' }, { phase: 'interrupted' }],
  [
    { message: { text: 5, reasoning: null, state: 'x' } },
    { message: { text: '', reasoning: '', state: 'interrupted' } },
  ],
  [
    { message: { toolCalls: [null, 'x', { id: 1, name: 'f' }] } },
    { message: { toolCalls: [{ id: '', name: 'f', arguments: '' }] } },
  ],
  // Unknown stays unknown: never 0.
  [
    { message: { usage: { prompt_tokens: '38' } } },
    { message: { usage: { prompt_tokens: null, completion_tokens: null, total_tokens: null } } },
  ],
  [{ message: { usage: 5, tokensPerSecond: '61' } }, { message: { usage: null, tokensPerSecond: null } }],
  [
    { timing: [1], sentAt: 'now' },
    { timing: { firstMs: null, textMs: null, endMs: null }, sentAt: 0 },
  ],
  [{ timing: { firstMs: Number.NaN, endMs: 5 } }, { timing: { firstMs: null, endMs: 5 } }],
  [
    { failure: {} },
    { failure: { message: 'unknown', hint: '', status: null, code: null, param: null, requestId: null } },
  ],
  [{ failure: 'no' }, { failure: null }],
])('reads what can be read of an answer with %j', (damage, expected) => {
  // In the first format the answer's fields stood beside the turn's.
  expect(parseTurn({ id: 'a', role: 'assistant', ...damage })).toMatchObject({ versions: [expected] });
  expect(parseTurn({ id: 't', role: 'assistant', versions: [{ id: 'a', ...damage }], shown: 0 })).toMatchObject({
    versions: [expected],
  });
});

it.each<[string, unknown, number]>([
  ['the version that was', 0, 0],
  ['the last one where that is missing', undefined, 1],
  ['the last one where there is no such', 2, 1],
  ['the last one where it is no place', 0.5, 1],
  ['the last one where it is no number', 'length', 1],
])('shows %s', (_what, shown, expected) => {
  expect(parseTurn({ id: 't', role: 'assistant', versions: [version('a'), version('b')], shown })).toMatchObject({
    shown: expected,
    versions: [{ id: 'a' }, { id: 'b' }],
  });
});

it('leaves out versions that are none, and the answer where none is left', () => {
  expect(
    parseTurn({ id: 't', role: 'assistant', versions: [null, version('a'), 'x', { model: 'no id' }], shown: 0 }),
  ).toMatchObject({ versions: [{ id: 'a' }] });
  for (const versions of [[], [null], 'x', null, undefined])
    expect(parseTurn({ id: 't', role: 'assistant', versions })).toBeNull();
});

it.each<[unknown, unknown]>([
  [
    { id: 't', role: 'tool', content: '4', tool_call_id: 'c', name: 'f', extra: 1 },
    { id: 't', role: 'tool', content: '4', tool_call_id: 'c', name: 'f' },
  ],
  [
    { id: 't', role: 'tool', content: '4', tool_call_id: 7 },
    { id: 't', role: 'tool', content: '4', tool_call_id: '', name: '' },
  ],
  [{ id: 't', role: 'tool' }, null],
  [{ id: 't', role: 'system', content: 'x' }, null],
  [
    { id: 't', role: 'user', content: 'x' },
    { id: 't', role: 'user', content: 'x' },
  ],
  [
    { id: 't', role: 'user', content: 'x', joinsNext: true, isTakenOver: true, editedAt: 5 },
    { id: 't', role: 'user', content: 'x', joinsNext: true, isTakenOver: true, editedAt: 5 },
  ],
  [
    { id: 't', role: 'user', content: 'x', joinsNext: 'yes' },
    { id: 't', role: 'user', content: 'x' },
  ],
  [{ role: 'user', content: 'x' }, null],
  [null, null],
])('reads %j as %j', (value, expected) => expect(parseTurn(value)).toEqual(expected));

it('keeps what an answer was asked under, where that is known', () => {
  const origin = { recordId: 'r', repeats: 'b', promptKey: '4.x', schemaKey: '9.y' };
  expect(parseTurn({ id: 't', role: 'assistant', versions: [{ ...version('a'), ...origin }], shown: 0 })).toMatchObject(
    { versions: [origin] },
  );
  const [unknown] = (
    parseTurn({
      id: 't',
      role: 'assistant',
      versions: [{ ...version('a'), promptKey: 5, schemaKey: null }],
      shown: 0,
    }) as { versions: readonly object[] }
  ).versions;
  expect(unknown).not.toHaveProperty('promptKey');
  expect(unknown).not.toHaveProperty('schemaKey');
});
