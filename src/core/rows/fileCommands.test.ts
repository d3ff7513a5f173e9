import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { MADE, toFileCommand } from './fileCommands.ts';

const print = toFileCommand('data.csv', MADE.jsonl, (file, made) => `printf '%s\\n' ${file} ${made}`);
const printed = (name: string): string[] =>
  execFileSync('sh', ['-c', print(name)], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

describe('the name of a file in a command', () => {
  it.each([
    ['rows.csv', 'rows.csv rows.jsonl'],
    ['Größe-2.csv', 'Größe-2.csv Größe-2.jsonl'],
    ['my rows.csv', "'my rows.csv' 'my rows.jsonl'"],
    ["it's.csv", "'it'\\''s.csv' 'it'\\''s.jsonl'"],
    ['-rf.csv', './-rf.csv ./-rf.jsonl'],
    ['- rf.csv', "'./- rf.csv' './- rf.jsonl'"],
  ])('%j is quoted where it has to be', (name, words) => {
    expect(print(name)).toBe(`printf '%s\\n' ${words}`);
  });

  it.each(['$(id).csv', '`id`.csv', 'a;b&c|d>e.csv', '~.csv', '*.csv', '$HOME "x" \'y\' \\z.csv', '!!.csv', '#x.csv'])(
    '%j is one word for a shell, and means nothing else',
    (name) => expect(printed(name)).toEqual([name, name.replace('.csv', '.jsonl')]),
  );

  it.each([null, '', '.', '..', '../a.csv', 'a\nb.csv', 'a\u001b[2J.csv', 'a\u202evsc.csv', '\ud800.csv'])(
    '%j gives way to a usual name',
    (name) => expect(print(name)).toContain(' data.csv data.jsonl'),
  );
});

describe('what is made of a file', () => {
  it.each([
    ['jsonl', 'a.tsv', 'a.jsonl'],
    ['jsonl', 'a.2025', 'a.2025.jsonl'],
    ['jsonl', 'a.jsonl', 'a.converted.jsonl'],
    ['jsonl', 'a.JSONL', 'a.converted.JSONL'],
    ['utf8', 'a.csv', 'a.utf8.csv'],
    ['utf8', 'a', 'a.utf8'],
    ['unpacked', 'a.jsonl.gz', 'a.jsonl'],
    ['unpacked', 'a.jsonl.ZST', 'a.jsonl'],
    ['unpacked', 'a.jsonl', 'a.unpacked.jsonl'],
    ['unpacked', '.gz', '.unpacked.gz'],
  ] as const)('as %s: %s becomes %s, never itself', (kind, name, made) => expect(MADE[kind](name)).toBe(made));
});
