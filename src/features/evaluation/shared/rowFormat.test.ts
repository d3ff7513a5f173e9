import * as fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { parseRows } from './promptRows.ts';
import { guessFormat } from './rowFormat.ts';

it.each([
  ['{"messages":[]}', 'jsonl'],
  ['{{name}} hello\nmore', 'lines'],
  ['{"a":1}\n{"a":', 'jsonl'],
  ['{"a":\n{"a":2}', 'jsonl'],
  ['{\n  "a": 1\n}', 'json'],
  ['{\n  "a": [\n    {"b": 1}\n', 'json'],
  ['\uFEFF[{"a":1}]', 'json'],
  ['[\n{"a":1},\n{"a":2}\n]', 'json'],
  ['["a", "b"', 'json'],
  ["[{'a': 1}]", 'json'],
  ['[]', 'json'],
  ['[1, 2]', 'json'],
  ['[1] What does this say?\n[2] And this?', 'lines'],
  ['[Urgent] where is it?', 'lines'],
  ['[{{name}}] hello', 'lines'],
  ['', 'lines'],
])('%j looks like %s', (text, format) => expect(guessFormat(text)).toBe(format));

describe('prose with commas keeps its first prompt', () => {
  it.each([
    'Hello, where is my order SO1?\nCancel SO2, please.',
    'Hello, where is my order\nHi, cancel my order',
    'Hi, this message is odd\nHi, that text too',
    'Please help; it is urgent!\nThanks; bye!',
    'First, second and third\nNext, last and more',
    'one\ntwo, three',
    'a,b',
    'Say 1,000\nSay 2,000',
    '7,12\n8,13',
    'Write it,then stop.\nRead it,then stop.',
    'Same,same\nOther,other',
    'prompt',
    'Is it red, green or blue?\n\nIs it 1, 2 or 3?',
    'Customer message, please\nAnother message, thanks',
    'Hi user, bye\nHello, bye',
    'Customer text; thanks\nMore text; bye',
    'text,hello\nmore\nand more',
    'Message,quick\nFirst\nSecond,one\nThird',
  ])('%j', (text) => expect(guessFormat(text)).toBe('lines'));
});

describe('tables', () => {
  it.each([
    ['a,b\n1,2', ['a', 'b']],
    ['a;b\n1;2', ['a', 'b']],
    ['name\tfull text\nx\ty', ['name', 'full text']],
    ['\uFEFFquestion, expected\nWhat?, 42', ['question', 'expected']],
    [',question,answer\n0,a,b\n1,c,d', ['', 'question', 'answer']],
    ['question,expected\n"What, ""really""?\nYes",42\n', ['question', 'expected']],
    ['question,expected\nHello, you there,42', ['question', 'expected']],
    ['prompt\n"Hello, you"\nHello, me', ['prompt']],
    ['"Prompt"\r\n"one\r\ntwo"', ['Prompt']],
    ['Order text;Expected label\na, b;c\nd, e;f', ['Order text', 'Expected label']],
    ['prompt,expected\nSay a,a', ['prompt', 'expected']],
    ['Customer message;Expected answer\nHi;Hello', ['Customer message', 'Expected answer']],
    ['Customer message, Expected answer\nHi, Hello', ['Customer message', 'Expected answer']],
    ['id, name, prompt\n1, Ada, Hi\n2, Bo, Hello', ['id', 'name', 'prompt']],
    ['First Name,Last Name,Question\nAda,L,Who?', ['First Name', 'Last Name', 'Question']],
    ['question,source\nHello, you there,42\nHi,7', ['question', 'source']],
  ])('%j', (text, header) => {
    const read = parseRows(text);
    expect([read.format, read.header]).toEqual(['csv', header]);
  });

  it('a file of one column is not split at commas', () => {
    expect(
      parseRows('prompt\n"Hello, ""you"""\nHello, me\n').rows.map(({ variables }) => variables.get('prompt')),
    ).toEqual(['Hello, "you"', 'Hello, me']);
  });

  const names = fc.uniqueArray(fc.constantFrom('question', 'tone', 'lang', 'id', 'expected', 'source', 'prompt'), {
    minLength: 2,
  });
  const table = names.chain((header) =>
    fc.record({
      header: fc.constant(header),
      records: fc.array(
        fc.array(
          fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => `x${text}`),
          { minLength: header.length, maxLength: header.length },
        ),
        { minLength: 1, maxLength: 8 },
      ),
    }),
  );
  it.each([',', ';', '\t'])('written with %j are read as they were', (delimiter) => {
    fc.assert(
      fc.property(table, ({ header, records }) => {
        fc.pre(
          header.some((name) => /question|prompt|id|expected/.test(name)) &&
            records.flat().every((field) => !/[\r\n]/.test(field)),
        );
        const read = parseRows(Papa.unparse([header, ...records], { delimiter }));
        expect(read.format).toBe('csv');
        expect(read.rows.map(({ variables }) => header.map((name) => variables.get(name)))).toEqual(records);
      }),
    );
  });
});

it('a first line that is a sentence is never taken for a header', () => {
  const sentence = fc
    .tuple(
      fc.array(fc.constantFrom('hello', 'my', 'order,', 'please,', 'now;', 'prompt,', '7'), { minLength: 1 }),
      fc.constantFrom('.', '?', '!'),
    )
    .map(([words, end]) => words.join(' ') + end);
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 1, maxLength: 6 }), (lines) => {
      expect(parseRows(lines.join('\n')).rows.map(({ variables }) => variables.get('prompt'))).toEqual(lines);
    }),
  );
});

it.each([
  ['id,prompt,notes\n1,Hi\n2,Ho\n3,Hm', 3],
  ['question\tanswer\tsource\nWhat?\tThis\nWho?\tMe', 2],
])('a table may leave empty fields at the end of its rows out: %j', (text, count) => {
  const { format, rows } = parseRows(text);
  expect([format, rows.length]).toEqual(['csv', count]);
});
