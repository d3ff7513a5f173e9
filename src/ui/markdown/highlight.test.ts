import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { toTokens, type TokenKind } from './highlight.ts';

const kindOf = (code: string, language: string, part: string): TokenKind | undefined =>
  toTokens(code, language)?.find(({ text }) => text.includes(part))?.kind;

describe('toTokens', () => {
  it.each<[string, string, string, TokenKind]>([
    ['python', 'def step(rate):\n    return "x"  # done', 'def', 'keyword'],
    ['py', 'x = "text"', '"text"', 'string'],
    ['typescript', 'const rate: number = 0.5;', '0.5', 'number'],
    ['TSX', 'const a = 1; // note', '// note', 'comment'],
    ['json', '{"name": 1}', '"name"', 'name'],
    ['bash', 'echo "$HOME"', '$HOME', 'name'],
    ['yaml', 'rate: 1', 'rate', 'name'],
    ['sql', 'SELECT 1', 'SELECT', 'keyword'],
    ['html', '<b class="x">', 'b', 'keyword'],
    ['diff', '-old\n+new', '+new', 'added'],
    ['rust', 'fn main() {}', 'fn', 'keyword'],
    ['toml', 'rate = 1', 'rate', 'name'],
  ])('%s: %s', (language, code, part, kind) => {
    expect(kindOf(code, language, part)).toBe(kind);
  });

  it.each([
    ['bash', 'if [ -f x ]; then echo "$(ls)"; fi'],
    ['diff', '@@ -1 +1 @@\n-old\n+new'],
    ['json', '{"name": [1, null, "x"]}'],
    ['python', 'class A:\n    def b(self): return f"{1 + 2}"'],
    ['rust', 'fn main() { let x: u8 = 1; }'],
    ['shell', '$ echo "$HOME" && if true; then ls; fi'],
    ['sql', "SELECT count(*) FROM rows WHERE name = 'x'"],
    ['yaml', 'rate: <%= if true then 1 else "x" end %>\n- a: b # c'],
  ])('gives %s the same colours before and after other languages were asked for', async (language, code) => {
    vi.resetModules();
    const fresh = await import('./highlight.ts');
    const first = fresh.toTokens(code, language);
    fresh.toTokens('x', 'kotlin');
    expect(first).not.toBeNull();
    expect(first).toEqual(fresh.toTokens(code, language));
  });

  it('colours an expression inside a string as code', () => {
    expect(kindOf('`a ${b} c`', 'js', 'b')).toBe('plain');
  });

  it('gives null for an unknown language', () => {
    for (const language of ['', 'text-of-mine', 'constructor', '__proto__'])
      expect(toTokens('a b', language)).toBeNull();
  });

  it('survives code that is nested without end', () => {
    expect(toTokens('${\n'.repeat(1999), 'bash') ?? []).toBeInstanceOf(Array);
    expect(toTokens('('.repeat(400), 'bash')).not.toBeNull();
  });

  it.each([
    ['a line of 401 characters', 'x'.repeat(401)],
    ['2,001 lines', '\n'.repeat(2000)],
    ['50,001 characters', `${'x'.repeat(99)}\n`.repeat(501)],
  ])('leaves %s without colours', (_what, code) => {
    expect(toTokens(code, 'python')).toBeNull();
    expect(toTokens(code.slice(0, code.length >> 1), 'python')).not.toBeNull();
  });

  it('leaves long code without colours where the grammar is slow', () => {
    const code = `${'int a; '.repeat(40)}\n`.repeat(22);
    expect(code.length).toBeGreaterThan(6000);
    expect(toTokens(code, 'cpp')).toBeNull();
    expect(toTokens(code, 'java')).not.toBeNull();
    expect(toTokens(code.slice(0, 3000), 'cpp')).not.toBeNull();
  });

  it('never loses or adds a character', () => {
    const line = fc.constantFrom(
      'def f(x):',
      '"""',
      "'",
      '`${',
      '/*',
      '*/',
      '<div a="',
      '</script>',
      '{"a": [1,',
      '# x',
      '-- y',
      '\t}',
      '$(',
      '\\',
      '&amp; <b>',
      '👩‍🔬',
    );
    const language = fc.constantFrom(
      'python',
      'js',
      'ts',
      'json',
      'bash',
      'yaml',
      'sql',
      'html',
      'css',
      'c',
      'cpp',
      'java',
      'go',
      'rust',
      'diff',
      'markdown',
      'ini',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), language, (lines, name) => {
        const code = lines.join('\n');
        const tokens = toTokens(code, name) ?? [];
        expect(tokens.map(({ text }) => text).join('')).toBe(code);
        for (const { at, text } of tokens) expect(code.slice(at, at + text.length)).toBe(text);
      }),
    );
  });
});
