// An imported evaluation as one of the studio's own. Pure.
import type { EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { EvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { NewEvaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import type { CheckSpec } from '#features/evaluation/shared/checks.ts';
import type { ImportedCheck, ImportedEvaluation, ImportedRow } from './importedEvaluation.ts';

function toKind({ kind, expected, isCaseSensitive, isStrict = false }: CheckSpec): Pick<EvaluationCheck, 'kind'> {
  if (kind === 'json-schema' || kind === 'json-equal') return { kind, expected, is_strict: isStrict } as never;
  return { kind, expected, is_case_sensitive: isCaseSensitive } as never;
}

const toCheck = ({ id, name, counts, spec }: ImportedCheck): EvaluationCheck =>
  ({ id, name, counts, ...toKind(spec) }) as EvaluationCheck;

const toRow = ({ messages, variables, expected, tags }: ImportedRow): EvaluationRow => ({
  ...(messages ? { messages: [...messages] } : { variables: { ...variables } }),
  expected,
  tags: Object.fromEntries(Object.entries(tags).slice(0, EVALUATION_LIMITS.tags)),
});

/** `name`: null is that of the file. Its schema says what of it is too much for the studio. */
export const toNewEvaluation = (
  imported: ImportedEvaluation,
  { projectId, name }: { readonly projectId: string; readonly name: string | null },
): NewEvaluation => ({
  project_id: projectId,
  name: (name ?? imported.name).replaceAll(/\s+/g, ' ').trim().slice(0, EVALUATION_LIMITS.name),
  source: { kind: 'rows', name: imported.tool },
  rows: imported.rows.map(toRow),
  prompt: imported.prompt,
  system: imported.system,
  checks: imported.checks.map(toCheck),
  repeats: Math.min(imported.repeats, EVALUATION_LIMITS.repeats),
});
