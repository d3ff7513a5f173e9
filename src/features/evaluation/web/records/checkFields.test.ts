import { expect, it } from 'vitest';
import { DEFAULT_CHECK, type CheckSpec } from '#features/evaluation/shared/checks.ts';
import { evaluationCheckSchema } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { toCheckSpecs, toEvaluationChecks } from './checkFields.ts';

const SPECS: readonly CheckSpec[] = [
  DEFAULT_CHECK,
  { ...DEFAULT_CHECK, kind: 'contains', expected: 'yes', isCaseSensitive: false },
  { ...DEFAULT_CHECK, kind: 'regex', expected: '^a' },
  { ...DEFAULT_CHECK, kind: 'json-schema', expected: '{}', isStrict: true },
  { ...DEFAULT_CHECK, kind: 'json-equal' },
  { ...DEFAULT_CHECK, kind: 'number', tolerance: 0.5 },
  { ...DEFAULT_CHECK, kind: 'tool-calls' },
];

it('sends checks of every kind as the API takes them, and reads the same ones back', () => {
  const sent = toEvaluationChecks(SPECS);
  for (const check of sent) expect(evaluationCheckSchema.safeParse(check)).toMatchObject({ success: true });
  expect(toCheckSpecs(sent)).toEqual(SPECS);
});

it('gives checks of one kind ids of their own', () => {
  expect(toEvaluationChecks([DEFAULT_CHECK, DEFAULT_CHECK]).map(({ id }) => id)).toEqual(['exact', 'exact-2']);
});
