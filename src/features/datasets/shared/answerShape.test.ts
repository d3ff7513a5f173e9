import { expect, it } from 'vitest';
import { NO_ANSWERS, openAnswers, toAnswer, toAnswerShape } from './answerShape.ts';

const shapeOf = (texts: readonly string[]) => {
  const counter = openAnswers();
  for (const content of texts) counter.add(toAnswer([{ role: 'assistant', content }]));
  return toAnswerShape(counter.toCounts(), texts.length);
};
const many = (toText: (at: number) => string) => Array.from({ length: 100 }, (_, at) => toText(at));

it('tells shapes apart', () => {
  expect(shapeOf(many((at) => `${at % 3}`))).toBe('fixed-set');
  expect(shapeOf(many((at) => `{"at":${at}}`))).toBe('json');
  expect(shapeOf(many((at) => `<tool_call>{"at":${at}}`))).toBe('tool-calls');
  expect(shapeOf(many((at) => `${at}`))).toBe('text');
});

it('takes the last answer, with its calls', () => {
  const messages = [
    { role: 'assistant', content: 'no' },
    { role: 'assistant', content: 'yes', tool_calls: [{ id: 1 }] },
    { role: 'user', content: 'x' },
  ];
  expect(toAnswer(messages)).toEqual({ text: 'yes[{"id":1}]', callText: '[{"id":1}]', hasToolCall: true });
  expect(toAnswer([])).toEqual({ text: '', callText: '', hasToolCall: false });
  expect(toAnswer([{ role: 'assistant', content: 5, tool_calls: 'x' }])).toMatchObject({ text: '' });
});

it('adds counts, and stops counting different answers', () => {
  const counter = openAnswers();
  counter.addAll({ ...NO_ANSWERS, jsonAnswers: 2, toolCalls: 1, distinct: ['a', 'b'] });
  counter.add(toAnswer([{ role: 'assistant', content: 'a' }]));
  counter.add(toAnswer([{ role: 'assistant', content: '{"long":1}' }]));
  expect(counter.toCounts()).toEqual({ toolCalls: 1, jsonAnswers: 3, distinct: ['a', 'b', '{"long":1}'] });
  for (let at = 0; at < 2000; at += 1) counter.add(toAnswer([{ role: 'assistant', content: `${at}` }]));
  expect(counter.toCounts().distinct).toHaveLength(1000);
});
