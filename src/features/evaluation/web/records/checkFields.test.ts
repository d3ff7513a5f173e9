import { expect, it } from 'vitest';
import { CHECK_KINDS, DEFAULT_CHECK, type CheckKind, type CheckSpec } from '#features/evaluation/shared/checks.ts';
import { evaluationCheckSchema } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { toCheckSpecs, toEvaluationChecks } from './checkFields.ts';

/** Of each kind with what only it has. */
const OWN: { readonly [Kind in CheckKind]?: Partial<CheckSpec> } = {
  contains: { expected: 'yes', isCaseSensitive: false },
  regex: { expected: '^a' },
  'json-schema': { expected: '{}', isStrict: true },
  'json-fields': { fields: ['city'] },
  number: { tolerance: 0.5 },
  similarity: { measure: 'chrf', threshold: 0.5 },
  length: { unit: 'words', min: 1, max: 9 },
  language: { expected: 'de' },
  latency: { max: 900 },
  function: { expected: '() => true' },
};
const toSpec = (kind: CheckKind): CheckSpec => Object.assign({}, DEFAULT_CHECK, { kind }, OWN[kind]);
const SPECS = CHECK_KINDS.map(toSpec);

it('sends checks of every kind as the API takes them, and reads the same ones back', () => {
  const sent = toEvaluationChecks(SPECS);
  for (const check of sent) expect(evaluationCheckSchema.safeParse(check)).toMatchObject({ success: true });
  expect(toCheckSpecs(sent)).toEqual(SPECS);
});

it('gives checks of one kind ids of their own', () => {
  expect(toEvaluationChecks([DEFAULT_CHECK, DEFAULT_CHECK]).map(({ id }) => id)).toEqual(['exact', 'exact-2']);
});
