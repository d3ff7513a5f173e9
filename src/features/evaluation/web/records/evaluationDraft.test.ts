import { expect, it } from 'vitest';
import { DEFAULT_CHECK } from '#features/evaluation/shared/checks.ts';
import { newEvaluationSchema, type Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import { findDraftProblem, NEW_DRAFT, toDraft, toEvaluationRows, toFields } from './evaluationDraft.ts';

const DRAFT = { ...NEW_DRAFT, name: ' Triage ', models: ['a', 'b'], checks: [DEFAULT_CHECK] };

it('sends a draft with rows of both kinds as the API takes it', () => {
  const chat = {
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ],
  };
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];
  const text = [chat, { question: '1+1?', expected: '2', tools: JSON.stringify(tools) }]
    .map((row) => JSON.stringify(row))
    .join('\n');
  const { rows, problem } = toEvaluationRows(parseRows(text, 'jsonl').rows, '{{question}}');
  expect(problem).toBeNull();
  expect(rows).toMatchObject([
    { messages: [{ role: 'user', content: 'Hi' }], expected: 'Hello' },
    { variables: { question: '1+1?' }, expected: '2', tools: [{ function: { name: 'look' } }] },
  ]);
  expect(rows[1]?.variables).not.toHaveProperty('tools');
  const body = {
    project_id: '00000000-0000-4000-8000-000000000000',
    ...toFields(DRAFT),
    source: { kind: 'rows' },
    rows,
  };
  expect(newEvaluationSchema.safeParse(body)).toMatchObject({ success: true });
});

it('keeps the ids of checks that did not change, and settings that the form does not show', () => {
  const checks = [{ id: 'mine', kind: 'exact', name: 'Same text' }];
  const kept = { checks, settings: { temperature: 0, max_completion_tokens: 7 } } as unknown as Evaluation;
  expect(toFields(DRAFT, kept)).toMatchObject({ checks, settings: { temperature: 0, max_completion_tokens: 7 } });
  expect(toFields({ ...DRAFT, checks: [] }, kept).checks).toEqual([]);
});

it('compares with the first model where the baseline is not asked', () => {
  expect(toFields({ ...DRAFT, baseline: 'b' }).baseline).toBe('b');
  expect(toFields({ ...DRAFT, baseline: 'gone' }).baseline).toBeNull();
});

it.each([
  [{ name: ' ' }, 'name'],
  [{ repeats: undefined }, 'how many'],
  [{ repeats: 3, temperature: 0 }, 'same'],
] as const)('says what stands in the way of %j', (patch, word) => {
  expect(findDraftProblem({ ...DRAFT, ...patch })).toContain(word);
  expect(findDraftProblem(DRAFT)).toBeNull();
});

it('keeps checks that did not change as they are when another one does', () => {
  const checks = [
    { id: 'mine', kind: 'exact', name: 'Same text', counts: false },
    { id: 'tone', kind: 'http', evaluator: 'tone', threshold: 0.9 },
    { id: 'judge', kind: 'judge', model: 'm', rubric: 'Be kind.' },
  ] as const;
  const kept = {
    checks,
    settings: {},
    prompt: null,
    models: [],
    name: 'x',
    baseline: null,
    repeats: 1,
  } as unknown as Evaluation;
  const draft = toDraft(kept);
  const changed = toFields({ ...draft, judges: [{ model: 'm', rubric: 'Be brief.', mode: 'answers' }] }, kept);
  const judge = { id: 'judge', kind: 'judge', model: 'm', rubric: 'Be brief.' };
  expect(changed.checks).toEqual([checks[0], judge, checks[1]]);
  const more = toFields({ ...draft, checks: [...draft.checks, DEFAULT_CHECK] }, kept);
  expect(more.checks?.map(({ id }) => id)).toEqual(['mine', 'exact-2', 'judge', 'tone']);
  // A new name alone makes no new version.
  expect(changed.settings).toEqual({});
});

it('does not empty the prompt of rows with variables', () => {
  expect(findDraftProblem({ ...DRAFT, prompt: ' ' }, { prompt: '{{question}}' })).toContain('prompt');
  expect(findDraftProblem({ ...DRAFT, prompt: '' }, { prompt: null })).toBeNull();
});
