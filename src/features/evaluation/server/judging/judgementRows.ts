// What people preferred and corrected, as rows to train with: pairs in the form that TRL reads, or chats.
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import type { JudgementForm } from '#features/evaluation/shared/contract/judgements.ts';
import type { Orm } from '#service/database/database.ts';
import { toAnswerRequest } from '../answerRequest.ts';
import { readAnswersAt, readCalls, type AnswerRecord } from '../answers.ts';
import { readRowsAt } from '../rowSets.ts';
import { readWholeRun } from '../runRecords.ts';
import { groupByItem } from './judgementResults.ts';
import { readJudgements, type JudgementRecord } from './judgementRecords.ts';

/** Rows whose answers are in memory at a time. */
const PART = 200;

const toText = (content: string): ChatMessage => ({ role: 'assistant', content });

function toMessage({ text, calls }: AnswerRecord): ChatMessage {
  const given = readCalls(calls);
  if (given.length === 0) return toText(text);
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: given.map((call, at) => ({ id: `call_${at + 1}`, type: 'function', function: { ...call } })),
  };
}

interface Preferred {
  readonly chosen: ChatMessage;
  /** null: nothing is worse. */
  readonly rejected: ChatMessage | null;
}

const countOf = (group: readonly JudgementRecord[], outcome: JudgementRecord['outcome']): number =>
  group.filter((record) => record.outcome === outcome).length;

/** What people want in the place of an answer, or of two; null: most do not say so. */
function toPreferred(
  group: readonly JudgementRecord[],
  answerOf: (place: number) => AnswerRecord | undefined,
): Preferred | null {
  const [any] = group;
  const [first, second] = [answerOf(any?.first_model ?? -1), answerOf(any?.second_model ?? -1)];
  if (!any || !first) return null;
  if (any.kind === 'pair') {
    const ahead = countOf(group, 'first') - countOf(group, 'second');
    if (!second || ahead === 0) return null;
    const [better, worse] = ahead > 0 ? [first, second] : [second, first];
    return { chosen: toMessage(better), rejected: toMessage(worse) };
  }
  const correction = group.findLast((record) => record.correction !== null)?.correction ?? null;
  // A text is no correction of calls.
  if (correction !== null && correction !== first.text && readCalls(first.calls).length === 0)
    return { chosen: toText(correction), rejected: toMessage(first) };
  return countOf(group, 'pass') > countOf(group, 'fail') ? { chosen: toMessage(first), rejected: null } : null;
}

/** JSON rows, each once. Throws HttpProblem 404. */
export async function readJudgementRows(orm: Orm, runId: string, form: JudgementForm): Promise<readonly string[]> {
  const { run, content } = await readWholeRun(orm, runId);
  const records = await readJudgements(orm, runId, form === 'chats' ? 'rating' : undefined);
  const groups = [...groupByItem(records).values()];
  const positions = [...new Set(records.map(({ position }) => position))].toSorted((a, b) => a - b);
  const lines = new Set<string>();
  for (let from = 0; from < positions.length; from += PART) {
    const part = positions.slice(from, from + PART);
    const given = await readAnswersAt(orm, run.id, part);
    for (const row of await readRowsAt(orm, content.row_set_id, part))
      for (const group of groups.filter(([any]) => any?.position === row.position)) {
        const repeat = group[0]?.repeat ?? 1;
        const preferred = toPreferred(group, (place) =>
          given.find(
            (each) =>
              each.position === row.position && each.repeat === repeat && each.model === place && each.error === null,
          ),
        );
        const request = toAnswerRequest(content, row, 'any', repeat);
        if (preferred === null || !request.ok) continue;
        const { messages, tools } = request.value;
        const { chosen, rejected } = preferred;
        const ofTools = tools && { tools };
        if (form === 'chats') lines.add(JSON.stringify({ messages: [...messages, chosen], ...ofTools }));
        else if (rejected !== null)
          lines.add(JSON.stringify({ prompt: messages, chosen: [chosen], rejected: [rejected], ...ofTools }));
      }
  }
  return [...lines];
}
