// An imported evaluation as one of the studio's own. Pure.
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { EvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { NewEvaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import type { ImportedEvaluation, ImportedRow } from './importedEvaluation.ts';

const toRow = ({ messages, variables, tools, expected, tags }: ImportedRow): EvaluationRow => ({
  ...(messages && { messages: [...messages] }),
  ...((variables || !messages) && { variables: { ...variables } }),
  expected,
  ...(tools && { tools }),
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
  settings: imported.settings,
  checks: [...imported.checks],
  repeats: Math.min(imported.repeats, EVALUATION_LIMITS.repeats),
});
