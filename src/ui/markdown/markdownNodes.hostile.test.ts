import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, toText } from './markdownNodes.fixture.ts';

describe('hostile answers', () => {
  const allowed = new Set([
    'p',
    'h3',
    'h4',
    'h5',
    'h6',
    'blockquote',
    'ul',
    'ol',
    'li',
    'div',
    'section',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'pre',
    'code',
    'span',
    'hr',
    'br',
    'strong',
    'em',
    'del',
    'bdi',
    'a',
    'input',
    'button',
    'svg',
    'path',
    'rect',
    'output',
  ]);
  const piece = fc.constantFrom(
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">',
    '</p></div>',
    '<svg/onload=alert(1)>',
    '"><script>',
    "' onmouseover='alert(1)",
    '" onmouseover="alert(1)',
    '[x](javascript:alert(1))',
    '![x](javascript:alert(1))',
    '![x](https://evil.example/?q=1)',
    '[x](<javascript:alert(1)>)',
    '[x]( java\nscript:alert(1))',
    '<javascript:alert(1)>',
    '[x](https://a.example/" onclick="alert(1))',
    '[x](data:text/html,x)',
    '[r]: javascript:alert(1)',
    '[x][r]',
    '&lt;script&gt;',
    '&#60;script&#62;',
    '`<b>`',
    '**',
    '*',
    '_',
    '~~',
    '`',
    '```',
    '~~~',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    '> ',
    '# ',
    '| ',
    '|\n|--|\n| ',
    '    ',
    '[',
    ']',
    '(',
    ')',
    '!',
    '<',
    '>',
    '\\',
    '\u0000',
    '\u202e',
    '\r\n',
  );
  const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));

  it('become only our own elements, link only to http, https and mailto, and fetch nothing', () => {
    fc.assert(
      fc.property(text, (source) => {
        const markup = html(source);
        for (const [, tag = '', attributes = ''] of markup.matchAll(
          /<([a-zA-Z][^\s/>]*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/g,
        )) {
          if (!allowed.has(tag)) expect.fail(`<${tag}> in ${markup}`);
          for (const [, name = '', value = ''] of attributes.matchAll(/\s([\w-]+)(?:="([^"]*)")?/g)) {
            if (
              /^(on|src|srcset|srcdoc|style$|action|formaction|xlink)/i.test(name) ||
              (name === 'href' && !/^(https?:\/\/|mailto:)/.test(value))
            )
              expect.fail(`${name}="${value}" in ${markup}`);
          }
        }
        // Every "<" was read as one of the elements above.
        expect(markup.replace(/<\/?[a-zA-Z][^\s/>]*(?:\s+[\w-]+(?:="[^"]*")?)*\s*\/?>/g, '')).not.toContain('<');
      }),
      { numRuns: 150 },
    );
  });

  it('keep every word that the model wrote', () => {
    const around = fc.constantFrom<readonly [string, string]>(
      ['', ''],
      ['**', '**'],
      ['*', '*'],
      ['`', '`'],
      ['~~', '~~'],
      ['<b>', '</b>'],
      ['[', '](https://a.example)'],
      ['[', '](javascript:x)'],
      ['![', '](https://a.example/i.png)'],
      ['<', '>'],
      ['<div ', '>'],
      ['&', ';'],
      ['(', ''],
      ['', '**'],
      ['[', ''],
      ['\\', ''],
    );
    const start = fc.constantFrom(
      '',
      '',
      '- ',
      '1. ',
      '- [ ] ',
      '> ',
      '> - ',
      '# ',
      '  ',
      '    ',
      '```',
      '```\n',
      '~~~\n',
      '| ',
      '\n',
      '\n\n',
      '  - ',
      '---\n',
      '<!-- ',
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(start, fc.array(around, { minLength: 1, maxLength: 3 })), { minLength: 1, maxLength: 12 }),
        (lines) => {
          let count = 0;
          // Of the line that opens a fence only the language is shown.
          const word = ([left, right]: readonly [string, string]): string => `${left}w${(count += 1)}z${right}`;
          const source = lines
            .map(([prefix, marks]) => prefix + (prefix === '```' ? word(['', '']) : marks.map(word).join(' ')))
            .join('\n');
          const shown = toText(html(source));
          for (let index = 1; index <= count; index += 1)
            if (!shown.includes(`w${index}z`)) expect(shown).toContain(`w${index}z`);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each<[string, string]>([
    ['quotes', `${'> '.repeat(200)}the end`],
    ['lists', `${'- '.repeat(200)}the end`],
    ['emphasis', `${'*a **b '.repeat(40)}the end${' c** d*'.repeat(40)}`],
    ['emphasis without an end', `${'*a **b '.repeat(100)}the end`],
    ['brackets', `${'['.repeat(300)}the end${'](https://a.example)'.repeat(300)}`],
  ])('nested ever deeper, in %s, are shown in a bounded depth to their end', (_what, source) => {
    const markup = html(source);
    expect(toText(markup)).toContain('the end');
    let [depth, deepest] = [0, 0];
    for (const [tag] of markup.matchAll(/<\/?(?:blockquote|li|em|strong|a|span)\b/g)) {
      depth += tag.startsWith('</') ? -1 : 1;
      deepest = Math.max(deepest, depth);
    }
    expect(deepest).toBeLessThanOrEqual(60);
  });
});
