import { describe, expect, it } from 'vitest';
import { toLanguage, type InlineNode } from './markdownNodes.ts';
import { blocks, html, toText } from './markdownNodes.fixture.ts';

const words = (text: string): InlineNode => ({ kind: 'text', text });

function inline(text: string): readonly InlineNode[] {
  const [first, ...more] = blocks(text);
  if (first?.kind !== 'paragraph' || more.length > 0) throw new Error(`expected one paragraph: ${text}`);
  return first.children;
}

const bare = (markup: string): string => markup.replace(/ (class|title|tabindex|role|aria-label)="[^"]*"/g, '');

describe('text', () => {
  it.each<[string, readonly InlineNode[]]>([
    ['plain', [words('plain')]],
    [
      'a **b** *c* ~~d~~',
      [
        words('a '),
        { kind: 'strong', children: [words('b')] },
        words(' '),
        { kind: 'em', children: [words('c')] },
        words(' '),
        { kind: 'del', children: [words('d')] },
      ],
    ],
    ['***both***', [{ kind: 'em', children: [{ kind: 'strong', children: [words('both')] }] }]],
    ['`a < b && c`', [{ kind: 'code', text: 'a < b && c' }]],
    ['`&amp; <b> **x**`', [{ kind: 'code', text: '&amp; <b> **x**' }]],
    ['AT&amp;T &lt;b&gt; &#39; &unknown;', [words("AT&T <b> ' &unknown;")]],
    ['\\*not em\\* \\<b\\> \\&amp;', [words('*not em* <b> &amp;')]],
    ['a  \nb', [words('a'), { kind: 'break' }, words('b')]],
    ['a\nb', [words('a\nb')]],
    ['2 * 3 * 4 and snake_case_name', [words('2 * 3 * 4 and snake_case_name')]],
  ])('%j', (text, expected) => expect(inline(text)).toEqual(expected));

  it('of an unfinished mark is shown as its source', () => {
    for (const text of ['**bold', '`code', '[link', '[link](', '[link](https://a', '~~x', '![i]('])
      expect(toText(html(text))).toContain(text.slice(-2));
  });
});

describe('links', () => {
  it.each<[string, InlineNode]>([
    ['[x](https://a.example/y)', { kind: 'link', href: 'https://a.example/y', isImage: false, children: [words('x')] }],
    [
      '[x](https://a.example/y "a title")',
      { kind: 'link', href: 'https://a.example/y', isImage: false, children: [words('x')] },
    ],
    [
      '[**x** `y`](https://a.example/)',
      {
        kind: 'link',
        href: 'https://a.example/',
        isImage: false,
        children: [{ kind: 'strong', children: [words('x')] }, words(' '), { kind: 'code', text: 'y' }],
      },
    ],
    [
      '<https://a.example/>',
      { kind: 'link', href: 'https://a.example/', isImage: false, children: [words('https://a.example/')] },
    ],
    [
      'https://a.example/y',
      { kind: 'link', href: 'https://a.example/y', isImage: false, children: [words('https://a.example/y')] },
    ],
    ['me@a.example', { kind: 'link', href: 'mailto:me@a.example', isImage: false, children: [words('me@a.example')] }],
    [
      '[x](https://a.example/?a=1&amp;b=2)',
      { kind: 'link', href: 'https://a.example/?a=1&b=2', isImage: false, children: [words('x')] },
    ],
  ])('%j leads where it says', (text, expected) => expect(inline(text)).toEqual([expected]));

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '&#106;avascript:alert(1)',
    '&#x6A;avascript:alert(1)',
    'javascript&colon;alert(1)',
    'java&#10;script:alert(1)',
    '&#1;javascript:alert(1)',
    'data:text/html;base64,PHN2Zz4=',
    'vbscript:x',
    'file:///etc/passwd',
    '/projects',
    '//a.example/x',
    '#top',
    'x',
  ])('[x](%s) can not be clicked; its target is shown', (target) => {
    const markup = html(`[x](${target}) ![y](${target}) [z][r]\n\n[r]: ${target}`);
    expect(markup).not.toContain('<a');
    expect(markup).not.toMatch(/href|src=/);
    expect(inline(`[x](${target})`)).toEqual([
      { kind: 'target', target: expect.any(String) as string, children: [words('x')] },
    ]);
  });

  it('open in a new tab, send no referrer, and show their whole target', () => {
    expect(html('[docs](https://a.example/very/long?q=secret)')).toBe(
      '<p><a href="https://a.example/very/long?q=secret" title="https://a.example/very/long?q=secret" ' +
        'target="_blank" rel="noopener noreferrer">docs</a></p>',
    );
  });

  it('replace images: nothing is fetched, and the description can be clicked', () => {
    const markup = html('![a chart](https://evil.example/?q=secret)');
    expect(markup).toContain('>Image: a chart</a>');
    expect(markup).not.toMatch(/<img|src=/);
    expect(inline('![](https://a.example/i.png)')).toEqual([
      { kind: 'link', href: 'https://a.example/i.png', isImage: true, children: [words('image')] },
    ]);
  });

  it('around images keep both targets', () => {
    expect(inline('[![badge](https://a.example/b.svg)](https://b.example/)')).toMatchObject([
      { href: 'https://b.example/', children: [{ href: 'https://a.example/b.svg', isImage: true }] },
    ]);
  });
});

describe('raw HTML', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe srcdoc="<b>x</b>"></iframe>',
    '<!-- comment -->',
    '<?php x ?>',
    '<![CDATA[x]]>',
    '<style>*{display:none}</style>',
    '<details open ontoggle=alert(1)>',
    '<form action=//evil.example>',
    '<br>',
    '<b>bold</b>',
  ])('%s is text, alone and in a line, a list, a table and a heading', (raw) => {
    for (const text of [raw, `a ${raw} b`, `- ${raw}`, `| a |\n|---|\n| ${raw} |`, `# ${raw}`, `> ${raw}`]) {
      const markup = html(text);
      expect(toText(markup)).toContain(raw);
      expect(markup).not.toMatch(/<(script|img|svg|iframe|style|details|form|br|b)[\s>]/);
    }
  });
});

describe('blocks', () => {
  it.each<[string, string]>([
    ['# One', '<h4 data-level="1">One</h4>'],
    ['## Two', '<h4 data-level="2">Two</h4>'],
    ['###### Six', '<h4 data-level="6">Six</h4>'],
    ['Under\n===', '<h4 data-level="1">Under</h4>'],
    ['---', '<hr/>'],
    ['> a\n> > b', '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>'],
    ['- a\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>'],
    ['0. a', '<ol start="0"><li><p>a</p></li></ol>'],
    [
      '- a\n  - b\n    1. c\n- d',
      '<ul><li><p>a</p><ul><li><p>b</p><ol start="1"><li><p>c</p></li></ol></li></ul></li><li><p>d</p></li></ul>',
    ],
    ['- a\n\n  b\n\n- c', '<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>'],
    ['- > q\n- # h', '<ul><li><blockquote><p>q</p></blockquote></li><li><h4 data-level="1">h</h4></li></ul>'],
    ['a\n\n\n\nb', '<p>a</p><p>b</p>'],
    ['[r]: https://a.example', ''],
  ])('%j', (text, expected) => expect(bare(html(text))).toBe(expected));

  it.each([
    ['- [x] done\n- [ ] open **now**', 'tight'],
    ['- [x] done\n\n- [ ] open **now**', 'loose'],
  ])('task lists: %j (%s)', (text) => {
    const [list] = blocks(text);
    expect(list?.kind === 'list' && list.items.map((item) => item.children)).toMatchObject([
      [{ kind: 'paragraph', children: [{ kind: 'checkbox', isChecked: true }, { kind: 'text' }] }],
      [{ kind: 'paragraph', children: [{ kind: 'checkbox', isChecked: false }, { kind: 'text' }, { kind: 'strong' }] }],
    ]);
    expect(html(text)).toContain('aria-label="not done"');
    expect(html(text).match(/<input/g)).toHaveLength(2);
  });

  it('a task with more below it keeps its box beside its first line', () => {
    expect(bare(html('- [x] a\n  - [ ] b\n\n  c')).replaceAll(/<input[^>]*>/g, '□')).toMatch(
      /^<ul><li><p>□ ?a<\/p><ul><li><p>□ ?b<\/p><\/li><\/ul><p>c<\/p><\/li><\/ul>$/,
    );
  });

  it('tables keep their columns, alignment and what is in the cells', () => {
    const [table] = blocks('| a | **b** | c | d |\n|:--|:-:|--:|---|\n| 1 | `x \\| y` |\n| 1 | 2 | 3 | 4 | 5 |');
    if (table?.kind !== 'table') throw new Error('expected a table');
    expect(table.header.map((cell) => cell.align)).toEqual(['left', 'center', 'right', null]);
    expect(table.header[1]?.children).toEqual([{ kind: 'strong', children: [words('b')] }]);
    expect(table.rows.map((row) => row.cells.map((cell) => cell.children))).toEqual([
      [[words('1')], [{ kind: 'code', text: 'x | y' }], [], []],
      [[words('1')], [words('2')], [words('3')], [words('4')]],
    ]);
    expect(html('| a |\n|---|\n| 1 |')).toContain('<th scope="col"');
  });

  it('tables can be scrolled by keyboard', () =>
    expect(html('| a |\n|---|\n| 1 |')).toMatch(
      /tabindex="0"[^>]*aria-label="Table"|aria-label="Table"[^>]*tabindex="0"/i,
    ));

  it.each<[string, string, string]>([
    ['```ts\nconst a = "<b>";\n```', 'ts', 'const a = "<b>";'],
    ['```\n\n  x\n\n```', '', '\n  x\n'],
    ['~~~ py title="x"\ny\n~~~', 'py', 'y'],
    ['    indented\n      more', '', 'indented\n  more'],
    ['```\n&amp; \\* **x**\n```', '', '&amp; \\* **x**'],
  ])('code %j', (text, language, code) =>
    expect(blocks(text)).toEqual([{ kind: 'code', key: 0, language, chunks: [], rest: code }]),
  );

  it('code has its language and a button to copy it', () => {
    expect(html('```ts\nx\n```')).toContain('aria-label="Copy code"');
    expect(toText(html('```ts\nx\n```'))).toBe('tsx');
    expect(toText(html('```\nx\n```'))).toBe('textx');
  });

  it.each([
    ['ts', 'ts'],
    [' ts x=1', 'ts'],
    ['', ''],
    ['c&#35;', 'c#'],
  ])('the language of %j is %j', (info, expected) => expect(toLanguage(info)).toBe(expected));

  it('each have a key of their own, which is their offset', () => {
    const text = 'one\n\n# two\n\n- a\n- b\n\n| t |\n|---|\n| 1 |\n| 2 |\n';
    const found = blocks(text);
    expect(found.map((node) => text.slice(node.key, node.key + 3))).toEqual(['one', '# t', '- a', '| t']);
    const [list, table] = [found[2], found[3]];
    expect(list?.kind === 'list' && list.items.map((item) => text.slice(item.key, item.key + 3))).toEqual([
      '- a',
      '- b',
    ]);
    expect(table?.kind === 'table' && table.rows.map((row) => text.slice(row.key, row.key + 5))).toEqual([
      '| 1 |',
      '| 2 |',
    ]);
  });
});
