// Rows and answers of an evaluation as texts. Pure.
import type { EvaluationAnswer } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { PlacedEvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import { fillTemplate } from '#features/evaluation/shared/template.ts';

/** What a row asks: the last message of its chat, or the filled prompt. */
export function toRowQuestion({ messages, variables }: PlacedEvaluationRow, prompt: string | null): string {
  const last = messages?.findLast(({ role }) => role !== 'assistant');
  if (last) return last.content ?? '';
  return fillTemplate(prompt ?? '', new Map(Object.entries(variables ?? {})));
}

/** An answer with its calls, one in a line. */
export const toAnswerText = ({ text, tool_calls: calls }: Pick<EvaluationAnswer, 'text' | 'tool_calls'>): string =>
  [...(text === '' ? [] : [text]), ...calls.map(({ name, arguments: given }) => `${name}(${given})`)].join('\n');
