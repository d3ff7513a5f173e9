import { expect, it } from 'vitest';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import { toImportedRows, type ColumnChoice } from './importedRows.ts';

const CSV = 'question,gold,answer\nSay one,eins,one\n';

interface Case {
  readonly name: string;
  readonly choice?: ColumnChoice;
  readonly draft?: string;
  readonly gridPrompt?: string;
  readonly prompt: string;
  readonly expected: string | null;
}

it.each<Case>([
  { name: 'nothing is chosen', prompt: '{{question}}', expected: 'answer' },
  { name: 'columns are chosen', choice: { prompt: '{{gold}}', expected: null }, prompt: '{{gold}}', expected: null },
  {
    name: 'the rows lack the chosen columns',
    choice: { prompt: '{{q}}', expected: 'a' },
    prompt: '{{question}}',
    expected: 'answer',
  },
  {
    name: 'one column is chosen for both',
    choice: { prompt: '{{gold}}', expected: 'gold' },
    prompt: '{{question}}',
    expected: 'gold',
  },
  {
    name: 'the draft uses columns',
    draft: '{{question}} {{answer}}?',
    prompt: '{{question}} {{answer}}?',
    expected: null,
  },
  { name: 'the prompt of the grid uses a column', gridPrompt: '{{answer}}', prompt: '{{question}}', expected: null },
])(
  'the prompt is $prompt and the expected answer $expected when $name',
  ({ choice = {}, draft = '', gridPrompt = '', ...found }) => {
    const { rows } = parseRows(CSV, 'csv');
    const { name: _name, ...columns } = found;
    expect(toImportedRows(rows, choice, draft, gridPrompt)).toMatchObject(columns);
  },
);

it('imported chats keep their expected answers', () => {
  const { rows } = parseRows(
    '{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"a"}]}',
    'jsonl',
  );
  expect(toImportedRows(rows, { expected: null }, '', '')).toMatchObject({ rows, columns: [], prompt: '' });
});
