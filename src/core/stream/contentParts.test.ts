import { expect, it } from 'vitest';
import { readContent } from './contentParts.ts';

it.each<[string, unknown, string, string]>([
  ['a text', 'a', 'a', ''],
  [
    'text parts',
    [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
    'ab',
    '',
  ],
  ['texts', ['a', 'b'], 'ab', ''],
  ['a part without type', [{ text: 'a' }], 'a', ''],
  [
    "Mistral's thinking",
    [
      {
        type: 'thinking',
        thinking: [
          { type: 'text', text: 'r' },
          { type: 'text', text: 's' },
        ],
      },
      { type: 'text', text: 'a' },
    ],
    'a',
    'rs',
  ],
  ['thinking as a text', [{ type: 'thinking', thinking: 'r', signature: 'x' }], '', 'r'],
  [
    'reasoning',
    [
      { type: 'reasoning', text: 'r' },
      { type: 'reasoning', reasoning: 's' },
    ],
    '',
    'rs',
  ],
  ['a refusal', [{ type: 'refusal', refusal: 'no' }], 'no', ''],
  [
    'parts that hold no text',
    [{ type: 'reference', reference_ids: [1] }, { type: 'image_url', image_url: {} }, null, 7, []],
    '',
    '',
  ],
  [
    'parts of the wrong types',
    [
      { type: 'text', text: 1 },
      { type: 'thinking', thinking: { a: 1 } },
    ],
    '',
    '',
  ],
  ['an empty list', [], '', ''],
  ['null', null, '', ''],
  ['an object', { text: 'a' }, '', ''],
])('reads %s', (_what, content, text, reasoning) => expect(readContent(content)).toEqual({ text, reasoning }));

it('reads parts in parts to a depth', () => {
  let deep: unknown = 'r';
  for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
  expect(readContent([{ type: 'thinking', thinking: deep }])).toEqual({ text: '', reasoning: '' });
});
