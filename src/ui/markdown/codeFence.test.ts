import * as fc from 'fast-check';
import { Lexer, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { parseFence, reduceFence, toCodeBlock, type OpenFence } from './codeFence.ts';

function open(text: string): { readonly fence: OpenFence; readonly rest: string } {
  const parsed = parseFence(text, 0);
  if (!parsed) throw new Error(`expected a fence: ${text}`);
  return { fence: parsed.fence, rest: text.slice(parsed.length) };
}

function toText(fence: OpenFence, partial = ''): string {
  const block = toCodeBlock(fence, partial);
  return block.kind === 'code' ? block.chunks.map((chunk) => chunk.text).join('') + block.rest : '';
}

/** The code of a fence with everything up to its end. */
function read(text: string): string {
  const { fence, rest } = open(text);
  return toText(reduceFence(fence, rest, true).fence);
}

describe('an opening line', () => {
  it.each([
    ['```\n', ''],
    ['```ts\n', 'ts'],
    ['``` ts title="a b"\n', 'ts'],
    ['````md\n', 'md'],
    ['~~~ py `x`\n', 'py'],
    ['   ```js\n', 'js'],
    ['```c&#43;&#43;\n', 'c++'],
    ['```a\\*b\n', 'a*b'],
  ])('%j opens code in %j', (text, language) => expect(open(text).fence.language).toBe(language));

  it.each(['```ts', '``\n', '    ```\n', '```a`b\n', 'x```\n', '\n```\n', '~~\n', '', '> ```\n'])(
    '%j opens nothing yet',
    (text) => {
      expect(parseFence(text, 0)).toBeNull();
    },
  );
});

describe('lines', () => {
  it.each([1, 23, 24, 25, 47, 48, 49])('%i of them end without a newline of their own', (count) => {
    const code = Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');
    expect(read(`\`\`\`\n${code}\n\`\`\`\n`)).toBe(code);
  });

  it.each(['`', '``', '```', '  ~'])('%j at the end may be the closing fence and is not shown as code', (partial) => {
    const { fence, rest } = open('```\na\n');
    expect(toText(reduceFence(fence, rest, false).fence, partial)).toBe('a');
  });

  it('leave earlier results unchanged', () => {
    const { fence, rest } = open(`\`\`\`\n${'x\n'.repeat(30)}`);
    const first = reduceFence(fence, rest, false).fence;
    const copy = structuredClone({ chunks: first.chunks, lines: first.lines });
    const second = reduceFence(first, 'y\n'.repeat(30), false).fence;
    expect({ chunks: first.chunks, lines: first.lines }).toEqual(copy);
    expect(second.chunks[0]).toBe(first.chunks[0]);
    expect(new Set(second.chunks.map((chunk) => chunk.key)).size).toBe(second.chunks.length);
  });
});

it('reads what the lexer reads, wherever the text is cut', () => {
  const line = fc.constantFrom(
    'a',
    '  b',
    '',
    '```',
    '````',
    '~~~',
    '   ```',
    '    ```',
    '``',
    '```js',
    '\tx',
    '` `',
    '```  ',
  );
  const text = fc
    .tuple(
      fc.constantFrom('```\n', '```ts x\n', '~~~\n', '````\n', '  ```\n'),
      fc.array(line, { maxLength: 60 }),
      fc.boolean(),
    )
    .map(([opening, lines, isEnded]) => `${opening}${lines.join('\n')}${isEnded ? '\n' : ''}`);
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (source, cuts) => {
      let { fence, rest } = open(source);
      let isClosed = false;
      let end = 0;
      for (let index = 0; !isClosed && end < rest.length; index += 1) {
        end += cuts[index % cuts.length] ?? 1;
        const step = reduceFence(fence, rest.slice(0, end), end >= rest.length);
        ({ fence, isClosed } = step);
        rest = rest.slice(step.length);
        end -= step.length;
      }
      const token = new Lexer({ gfm: true }).lex(source)[0] as Tokens.Code;
      expect(toText(fence).replace(/\n+$/, '')).toBe(token.text.replace(/\n+$/, ''));
      expect(fence.language).toBe((token.lang ?? '').split(' ')[0]);
    }),
    { numRuns: 1_000 },
  );
});
