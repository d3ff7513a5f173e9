import { describe, expect, it } from 'vitest';
import { readAnswer } from './answerForm.ts';

const read = (content: string | null) => readAnswer({ content });

describe('readAnswer', () => {
  it.each([
    ['object', '{"a": 1}'],
    ['list', '[{"a": 1}]'],
    ['fenced', '```json\n{"a": 1}\n```'],
    ['broken-json', '{"a": 1'],
    ['broken-json', "{'a': 1}"],
    ['broken-json', '{"a": 1,}'],
    ['json-in-text', 'Here it is: {"a": 1}'],
    ['json-in-text', '{"a": 1}\n\nAnything else?'],
    ['label', 'late delivery'],
    ['text', 'It is a late delivery.'],
    ['text', '```\nprint(1)\n```'],
    ['call', '<tool_call>{"name":"get"}</tool_call>'],
    ['none', ' \n'],
    ['none', null],
  ])('finds the form %s of %j', (form, content) => expect(read(content).form).toBe(form));

  it.each([
    ['{"a": 1, "b": [2]}', '{"b":[2],\n "a":1}'],
    ['```\n{"a": 1}\n```', '{"a":1}'],
    ['Refund', ' refund\n'],
    ['One  two', 'one two'],
  ])('%j says what %j says', (one, other) => expect(read(one).key).toBe(read(other).key));

  it.each([
    ['{"a": 1}', '{"a": 2}'],
    ['refund', 'exchange'],
    ['{"a": [1, 2]}', '{"a": [2, 1]}'],
  ])('%j does not say what %j says', (one, other) => expect(read(one).key).not.toBe(read(other).key));

  it('calls are compared with their arguments', () => {
    const call = (given: string) =>
      readAnswer({
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'get', arguments: given } }],
      });
    expect(call('{"a":1,"b":2}').key).toBe(call('{"b":2, "a":1}').key);
    expect(call('{"a":1}').key).not.toBe(call('{"a":2}').key);
  });

  it.each([
    ['It takes 5 days to arrive.', 'It arrives within 5 days.', true],
    ['It takes 5 days to arrive.', 'It arrives within 7 days.', false],
    ['Yes, it can stand rain.', 'No, it can not stand rain.', false],
  ])('the facts of %j and %j are the same: %j', (one, other, isSame) =>
    expect(read(one).facts === read(other).facts).toBe(isSame),
  );
});
