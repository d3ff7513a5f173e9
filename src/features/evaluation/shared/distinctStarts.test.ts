import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDistinctLines, toPlainLine } from './distinctStarts.ts';

const LONG = 'word '.repeat(500);
/** Two members, each with one of two values: what tells two of the four apart, a third has as well. */
const json = (a: string, b: string): string => `{"category":"${a}","sentiment":"${b}"}`;

describe('each line shows where its text parts from others', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['one alone', ['The **whole** text'], ['The whole text']],
    ['a long one alone', [LONG], [`${LONG.slice(0, 200)}…`]],
    [
      'short ones are whole',
      ['Yes, it is red.', 'Yes, it is blue.', 'No.'],
      ['Yes, it is red.', 'Yes, it is blue.', 'No.'],
    ],
    [
      'short calls',
      [json('a', 'good'), json('b', 'good'), json('a', 'bad')],
      [json('a', 'good'), json('b', 'good'), json('a', 'bad')],
    ],
    ['a common beginning', [`${LONG}big city`, `${LONG}bigger city`], ['… big city', '… bigger city']],
    [
      'two differences that others share',
      [`aa ${LONG}good`, `bb ${LONG}good`, `aa ${LONG}bad`],
      ['… good', `bb ${LONG.slice(0, 197)}…`, '… bad'],
    ],
    ['one is the beginning of another', [`${LONG}b`, `${LONG}b c`], ['… b', '… b c']],
    ['a long word', ['x'.repeat(300), 'y'], [`${'x'.repeat(200)}…`, 'y']],
    ['emoji', [`${LONG}so 👩‍👩‍👧`, `${LONG}so 👩‍👩‍👦`], ['… 👩‍👩‍👧', '… 👩‍👩‍👦']],
    [
      'calls with long arguments',
      [`f({"text":"${'ab,'.repeat(30)}","n":1})`, `f({"text":"${'ab,'.repeat(30)}","n":2})`],
      ['… 1})', '… 2})'],
    ],
    ['an empty answer', ['', 'a'], ['', 'a']],
    ['marks alone', ['**a**', 'a'], ['**a**', 'a']],
    ['white space alone', ['a\nb', 'a b', 'a  b', 'a\t\u00a0b'], ['a↵b', 'a b', 'a␣␣b', 'a⇥⍽b']],
    ['white space that reads like its marks', ['a\nb', 'a b', 'a↵b'], ['a↵b', 'a b', 'a↵b (2)']],
  ])('%s', (_what, texts, lines) => expect(toDistinctLines(texts)).toEqual(lines));

  const parts = fc.array(
    fc.oneof(
      fc.constantFrom('a', 'b', 'ab', '**b**', '`a`', '"n":1,', '👩‍👩‍👧', '👩', 'é', '…', '\n', 'x'.repeat(90)),
      fc.string(),
    ),
    { minLength: 1, maxLength: 8 },
  );
  const filler = fc.constantFrom('', ' ', LONG, 'a1b2'.repeat(60), '👩‍👩‍👧'.repeat(30));
  const text = fc.tuple(parts, filler).map(([all, between]) => all.join(between));

  it('whatever the texts, no two that differ look alike', () => {
    fc.assert(
      fc.property(fc.uniqueArray(text, { minLength: 2, maxLength: 6, selector: (each) => each.trim() }), (texts) => {
        const lines = toDistinctLines(texts);
        expect(new Set(lines).size).toBe(texts.length);
        expect(lines.every((line, at) => line.isWellFormed() || !(texts[at] ?? '').isWellFormed())).toBe(true);
      }),
    );
  });

  it('finds the end of twenty long answers', () => {
    const texts = Array.from({ length: 20 }, (_, at) => `${'**long** answer [[ '.repeat(2000)}n${at}`);
    expect(toDistinctLines(texts)).toEqual(texts.map((_, at) => `… n${at}`));
  });
});

it.each([
  ['**Category:** billing', 'Category: billing'],
  ['# Title\n\n- one\n* two\n> three', 'Title one two three'],
  ['*so* (**really**), ***very***', 'so (really), very'],
  ['2 * 3 * 4 and 2*3', '2 * 3 * 4 and 2*3'],
  ['```ts\nconst `a` = 1;\n```', 'const a = 1;'],
  ['snake_case and __init__', 'snake_case and __init__'],
  ['a | b\n--- | ---:\n1 | 2', 'a | b 1 | 2'],
  ['See [the docs](https://x.y/z?a=1) and ![a cat](c.png) f(x)[0].', 'See the docs and a cat f(x)[0].'],
  ['```{"a":1}```', '{"a":1}'],
  ['```python print(1)```', 'python print(1)'],
  ['So:\n~~~x~~~\n~~~js\ny\n~~~', 'So: ~~~x~~~ y'],
  ['---', '---'],
  [' |---|---|\n', '|---|---|'],
  ['```\n```', '``` ```'],
  [' \n', ''],
])('%j is plain as %j', (text, line) => expect(toPlainLine(text)).toBe(line));
