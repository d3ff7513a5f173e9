import { expect, it } from 'vitest';
import { EMPTY_TALLY, parseRow, reduceTally, toRowFacts } from './snapshotFacts.ts';

const line = (answer: unknown, extra: object = {}) =>
  JSON.stringify({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hä?' },
      { role: 'assistant', content: answer, ...extra },
    ],
  });
const factsOf = (answers: readonly string[]) =>
  toRowFacts(
    reduceTally(
      EMPTY_TALLY,
      answers.map((body) => ({ bucket: 'training' as const, body })),
    ),
  );
const repeat = <T>(count: number, toLine: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => toLine(index));

it('knows a fixed set of answers', () => {
  const facts = factsOf(repeat(100, (index) => line(`{"label":"${index % 4}"}`)));
  expect(facts).toMatchObject({ answer_shape: 'fixed-set', distinct_answers: 4, training_count: 100 });
});

it('knows tool calls, as a field and as text', () => {
  const call = { tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] };
  expect(factsOf(repeat(40, () => line(null, call))).answer_shape).toBe('tool-calls');
  expect(
    factsOf(repeat(40, (index) => line(`<tool_call>{"name":"f","arguments":{"n":${index}}}</tool_call>`))).answer_shape,
  ).toBe('tool-calls');
});

it('knows JSON records of many values', () => {
  expect(factsOf(repeat(200, (index) => line(`{"name":"${index}"}`))).answer_shape).toBe('json');
});

it('takes everything else for text, also a fixed set that is not fixed enough', () => {
  expect(factsOf(repeat(200, (index) => line(`Dear customer ${index}`))).answer_shape).toBe('text');
  expect(factsOf(repeat(8, (index) => line(`yes ${index % 4}`))).answer_shape).toBe('text');
});

it('gives the same facts however the rows are cut into pages', () => {
  const rows = repeat(90, (index) => ({
    bucket: index % 9 === 0 ? ('validation' as const) : ('training' as const),
    body: line(`answer ${index}`),
  }));
  const whole = toRowFacts(reduceTally(EMPTY_TALLY, rows));
  for (const size of [1, 7, 89]) {
    let tally = EMPTY_TALLY;
    for (let start = 0; start < rows.length; start += size) tally = reduceTally(tally, rows.slice(start, start + size));
    expect(toRowFacts(tally)).toEqual(whole);
  }
  expect(whole).toMatchObject({ training_count: 80, validation_count: 10 });
});

it('counts UTF-8 bytes of all messages', () => {
  expect(parseRow(line('ö'))?.bytes).toBe(Buffer.byteLength('Be brief.Hä?ö'));
});

it.each(['', 'no json', '[]', '{"messages":[]}', '{"messages":[1]}', 'null', '{"__proto__":{"messages":[{}]}}'])(
  'survives the line %j and still counts it as a row',
  (body) => {
    expect(parseRow(body)).toBeNull();
    expect(factsOf([body]).training_count).toBe(1);
  },
);

it('stops counting different answers at a bound', () => {
  expect(factsOf(repeat(3000, (index) => line(`answer ${index}`))).distinct_answers).toBe(1000);
});
