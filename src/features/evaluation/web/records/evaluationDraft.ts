// What a person sets of an evaluation, before it is sent. Pure.
import type { CheckSpec } from '#features/evaluation/shared/checks.ts';
import type { EvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { Evaluation, EvaluationChange } from '#features/evaluation/shared/contract/evaluations.ts';
import { EXPECTED, type PromptRow, type RowMessage } from '#features/evaluation/shared/promptRow.ts';
import { bringsTools, readRowTools } from '#features/evaluation/shared/rowTools.ts';
import {
  keepUnchanged,
  toCheckSpecs,
  toEvaluationChecks,
  toEvaluatorChecks,
  toEvaluators,
  toJudgeChecks,
  toJudges,
  type JudgeDraft,
} from './checkFields.ts';

export interface EvaluationDraft {
  readonly name: string;
  readonly models: readonly string[];
  /** null: the default one. */
  readonly baseline: string | null;
  readonly repeats: number | undefined;
  readonly temperature: number | undefined;
  readonly prompt: string;
  readonly checks: readonly CheckSpec[];
  readonly judges: readonly JudgeDraft[];
  /** Names of own evaluators. */
  readonly evaluators: readonly string[];
}

export const NEW_DRAFT: EvaluationDraft = {
  name: '',
  models: [],
  baseline: null,
  repeats: 1,
  temperature: 0,
  prompt: '',
  checks: [],
  judges: [],
  evaluators: [],
};

export const toDraft = ({
  name,
  models,
  baseline,
  repeats,
  settings,
  prompt,
  checks,
}: Evaluation): EvaluationDraft => ({
  name,
  models,
  baseline,
  repeats,
  temperature: settings.temperature ?? 0,
  prompt: prompt ?? '',
  checks: toCheckSpecs(checks),
  judges: toJudges(checks),
  evaluators: toEvaluators(checks),
});

type Fields = Pick<EvaluationChange, 'name' | 'models' | 'baseline' | 'repeats' | 'prompt' | 'checks' | 'settings'>;

/** The fields of a request. `kept`: checks keep their ids and names, and settings what the form does not show. */
export function toFields(draft: EvaluationDraft, kept: Evaluation | null = null): Fields {
  const { name, models, baseline, repeats = 1, temperature = 0, prompt, checks, judges, evaluators } = draft;
  const all = [...toEvaluationChecks(checks), ...toJudgeChecks(judges), ...toEvaluatorChecks(evaluators)];
  const isSampled = temperature !== (kept?.settings.temperature ?? 0);
  return {
    name: name.trim(),
    models: [...models],
    baseline: baseline !== null && models.includes(baseline) ? baseline : null,
    repeats,
    prompt: prompt.trim() === '' ? null : prompt,
    checks: [...keepUnchanged(all, kept?.checks ?? [])],
    settings: { ...kept?.settings, ...((isSampled || kept === null) && { temperature }) },
  };
}

/** Why it can't be sent; null: it can. `kept`: what it changes; null: a new one. */
export function findDraftProblem(
  { name, repeats, temperature, judges, prompt }: EvaluationDraft,
  kept: Pick<Evaluation, 'prompt'> | null = null,
): string | null {
  if (name.trim() === '') return 'Give it a name.';
  if (repeats === undefined) return 'Say how many answers each row gets.';
  if (repeats > 1 && temperature === 0)
    return 'At temperature 0 all answers to a row are the same. Ask once, or raise the temperature.';
  if (kept !== null && kept.prompt !== null && prompt.trim() === '')
    return 'Write the prompt: its rows have variables, which it asks.';
  if (judges.some(({ model }) => model.trim() === '')) return 'Choose the model that judges.';
  if (judges.some(({ rubric }) => rubric.trim() === '')) return 'Write what the judge goes by.';
  return null;
}

const toMessage = ({ role, content, tool_calls: calls, tool_call_id: id }: RowMessage) => ({
  role,
  content: content === '' && calls ? null : content,
  ...(calls && { tool_calls: [...calls] }),
  ...(id !== undefined && { tool_call_id: id }),
});

/** Rows as the API takes them; the problem names the first row that can't be sent. */
export function toEvaluationRows(
  rows: readonly PromptRow[],
  prompt: string,
): { readonly rows: EvaluationRow[]; readonly problem: string | null } {
  const sent: EvaluationRow[] = [];
  for (const row of rows) {
    const tools = readRowTools(row, [prompt]);
    if (!tools.ok) return { rows: sent, problem: tools.reason };
    const hasTools = bringsTools(row, [prompt]);
    const variables = Object.fromEntries(
      [...row.variables].filter(([name]) => !(hasTools && name === 'tools') && !(row.messages && name === EXPECTED)),
    );
    sent.push({
      ...(row.messages ? { messages: row.messages.map(toMessage) } : { variables }),
      ...(row.expected !== null && { expected: row.expected }),
      ...(tools.value !== null && { tools: [...tools.value] }),
    });
  }
  return { rows: sent, problem: null };
}
