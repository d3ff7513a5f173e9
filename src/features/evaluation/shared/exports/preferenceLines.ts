// Answers of a run as rows for DPO and KTO, in TRL's form: what passed is preferred to what failed. Pure.
import type { ChatMessage, Tool } from '#core/contract/chatMessage.ts';
import type { EvaluationAnswer } from '#features/evaluation/shared/contract/evaluationRuns.ts';

export const PREFERENCE_FORMS = ['dpo', 'kto'] as const;
type PreferenceForm = (typeof PREFERENCE_FORMS)[number];

export interface PreferenceChoice {
  readonly form: PreferenceForm;
  /** Whose answers are preferred, and whose are not; null: those of any model. */
  readonly chosen: string | null;
  readonly rejected: string | null;
}

export interface AskedRow {
  /** As they were sent. */
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly Tool[];
  readonly answers: readonly EvaluationAnswer[];
}

function toMessage({ text, tool_calls: calls }: EvaluationAnswer): ChatMessage {
  if (calls.length === 0) return { role: 'assistant', content: text };
  return {
    role: 'assistant',
    content: text,
    tool_calls: calls.map((call, at) => ({ id: `call_${at + 1}`, type: 'function', function: { ...call } })),
  };
}

/** Each answer once, however many models gave it. */
function toSides(answers: readonly EvaluationAnswer[], outcome: 'pass' | 'fail', model: string | null): ChatMessage[] {
  const sides = answers
    .filter((answer) => answer.outcome === outcome && (model === null || answer.model === model))
    .map(toMessage)
    .filter(({ content, tool_calls: calls }) => (content ?? '').trim() !== '' || calls !== undefined);
  const seen = new Set<string>();
  return sides.filter((side) => {
    const key = JSON.stringify(side);
    return !seen.has(key) && seen.add(key);
  });
}

/** JSON lines of one row: of DPO a passed and a failed answer each, as many as there are pairs; of KTO one for each answer. */
export function toPreferenceLines({ messages, tools, answers }: AskedRow, choice: PreferenceChoice): readonly string[] {
  const [good, bad] = [toSides(answers, 'pass', choice.chosen), toSides(answers, 'fail', choice.rejected)];
  const shared = { prompt: messages, ...(tools.length > 0 && { tools }) };
  const toLine = (answer: object): string => JSON.stringify({ ...shared, ...answer });
  if (choice.form === 'dpo')
    return good.slice(0, bad.length).map((chosen, at) => toLine({ chosen: [chosen], rejected: [bad[at]] }));
  return [
    ...good.map((completion) => toLine({ completion: [completion], label: true })),
    ...bad.map((completion) => toLine({ completion: [completion], label: false })),
  ];
}
