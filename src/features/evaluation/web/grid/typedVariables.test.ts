import { describe, expect, it } from 'vitest';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import type { GridSetup } from './gridBook.ts';
import { toCellRequest } from './gridRequest.ts';
import { findSetupTyped, findTypedVariables, toTypedText } from './typedVariables.ts';

const rowsOf = (...values: object[]) =>
  parseRows(values.map((value) => JSON.stringify(value)).join('\n'), 'jsonl').rows;
const typed = { prompt: '{{name}} has {{n}}', name: 'Bob', n: 3 };

describe('variables in the text of rows', () => {
  it('are sent as typed, and counted', () => {
    const rows = rowsOf(typed, { prompt: 'Hi', name: '{{unused}}' }, { prompt: 'Say {{ x }}' });
    const column = { id: 'c', label: 'c', request: { model: 'm', messages: [] } };
    const [row] = rows;
    const built = row && toCellRequest(column, row, '{{prompt}}');
    expect(built).toMatchObject({ request: { messages: [{ role: 'user', content: '{{name}} has {{n}}' }] } });
    expect(findTypedVariables(rows, '{{prompt}}')).toEqual({ rows: 2, template: null });
  });

  it('are none where the prompt does not send them', () => {
    expect(findTypedVariables(rowsOf(typed), '{{name}}: {{n}}').rows).toBe(0);
    expect(findTypedVariables(rowsOf({ prompt: '{{ }} and {{1}} and { {x} }' }), '{{prompt}}').rows).toBe(0);
  });

  it('count in chats and in values of a system prompt', () => {
    const chat = { messages: [{ role: 'user', content: 'Dear {{name}}' }] };
    expect(findTypedVariables(rowsOf(chat, typed), '{{prompt}}')).toEqual({ rows: 2, template: null });
    expect(findTypedVariables(rowsOf({ prompt: 'Hi', tone: '{{x}}' }), '{{prompt}}', ['Be {{tone}}.']).rows).toBe(1);
  });

  it('can become the prompt where all rows have the same', () => {
    const rows = rowsOf(typed, { ...typed, name: 'Eve' });
    expect(findTypedVariables(rows, '{{prompt}}').template).toBe('{{name}} has {{n}}');
    expect(findTypedVariables([...rows, ...rowsOf({ prompt: 'Hi' })], '{{prompt}}').template).toBeNull();
    expect(findTypedVariables(rows, 'Please: {{prompt}}').template).toBeNull();
    const setup: GridSetup = { id: 'g', prompt: '{{name}} has {{n}}', rows, columns: [] };
    expect(findSetupTyped(setup).rows).toBe(0);
  });
});

it('says it with the way out', () => {
  expect(toTypedText({ rows: 3, template: null })).toMatch(
    /^3 prompts hold \{\{…\}\}, which is sent as typed: .* write the template in the Prompt field/,
  );
  expect(toTypedText({ rows: 1, template: null })).toMatch(/^1 prompt holds /);
  expect(toTypedText({ rows: 0, template: null })).toBeNull();
});
