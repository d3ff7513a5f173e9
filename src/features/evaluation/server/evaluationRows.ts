// Rows of an evaluation as they are stored: read once, then never changed. Pure.
import { parseChatRequest } from '#core/contract/chatRequest.ts';
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { EvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { readRowTools } from '#features/evaluation/shared/rowTools.ts';
import { readToolCalls, toExpectedJson } from '#features/evaluation/shared/toolCalls.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';

const refuse = (param: string, message: string): never => {
  throw new HttpProblem(400, message, { param, code: 'invalid_row' });
};

/** The expected answer that a message gives: its tool calls, else its text. */
function toExpected({ content, tool_calls: calls = [] }: ChatMessage, param: string): string | null {
  if (calls.length === 0) return content ?? null;
  const read = readToolCalls(calls);
  return read.ok
    ? toExpectedJson(read.value)
    : refuse(param, `The expected answer of ${param} has calls, and ${read.reason}.`);
}

/** Takes an answer at the end of a chat as the expected one. Throws HttpProblem 400 that names the row. */
export function toStoredRow(row: EvaluationRow, index: number): EvaluationRow {
  const at = `rows[${index}]`;
  const { messages, variables, tools, tags } = row;
  if (messages === undefined && variables === undefined)
    refuse(at, `${at} asks nothing. Give it \`messages\`, or \`variables\` for the prompt of the evaluation.`);
  const last = messages?.at(-1);
  const answer = last?.role === 'assistant' ? last : null;
  const asked = answer === null ? messages : messages?.slice(0, -1);
  if (asked !== undefined) {
    const end = asked.at(-1)?.role;
    if (end !== 'user' && end !== 'tool')
      refuse(
        `${at}.messages`,
        `${at}.messages has nothing to answer at its end. Its last message, or the one before an answer, must be that of a user or a tool.`,
      );
    const parsed = parseChatRequest({ model: 'any', messages: asked, ...(tools && { tools }) });
    if (!parsed.ok) refuse(`${at}.${parsed.problem.param ?? 'messages'}`, `${at}: ${parsed.problem.message}`);
  }
  const expected = row.expected ?? (answer === null ? null : toExpected(answer, `${at}.messages`));
  return {
    ...(asked && { messages: asked }),
    ...(variables && { variables }),
    ...(expected !== null && { expected }),
    ...(tools && tools.length > 0 && { tools }),
    ...(tags && Object.keys(tags).length > 0 && { tags: toTags(tags, `${at}.tags`) }),
  };
}

function toTags(tags: Readonly<Record<string, string>>, param: string): Record<string, string> {
  if (Object.keys(tags).length > EVALUATION_LIMITS.tags)
    refuse(param, `${param} has more than ${EVALUATION_LIMITS.tags} tags. Leave some out.`);
  return { ...tags };
}

/** A row of a prompt file or snapshot as one of an evaluation; null: its tools can't be used. */
export function fromPromptRow(row: PromptRow): EvaluationRow | null {
  const tools = readRowTools(row);
  if (!tools.ok) return null;
  const variables = [...row.variables].filter(([name]) => tools.value === null || name !== 'tools');
  return {
    ...(row.messages && {
      messages: row.messages.map(({ role, content, tool_calls, tool_call_id }) => ({
        role,
        content: content === '' && tool_calls ? null : content,
        ...(tool_calls && { tool_calls: [...tool_calls] }),
        ...(tool_call_id !== undefined && { tool_call_id }),
      })),
    }),
    ...((row.messages === null || variables.length > 0) && { variables: Object.fromEntries(variables) }),
    ...(row.expected !== null && { expected: row.expected }),
    ...(tools.value && { tools: [...tools.value] }),
  };
}

/** The values of each tag, the most frequent first, and for each row the place of its value; -1: the row has no such tag. */
export type TagColumns = Readonly<
  Record<string, { readonly values: readonly string[]; readonly of: readonly number[] }>
>;

export function toTagColumns(rows: readonly EvaluationRow[]): TagColumns {
  const names = new Set(rows.flatMap(({ tags }) => Object.keys(tags ?? {})));
  const toColumn = (name: string): TagColumns[string] => {
    const given = rows.map(({ tags }) => (tags && Object.hasOwn(tags, name) ? tags[name] : undefined));
    const counts = new Map<string, number>();
    for (const value of given) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
    const values = [...counts].sort(([, one], [, other]) => other - one).map(([value]) => value);
    const places = new Map(values.map((value, place) => [value, place]));
    return { values, of: given.map((value) => (value === undefined ? -1 : (places.get(value) ?? -1))) };
  };
  return Object.fromEntries([...names].map((name) => [name, toColumn(name)]));
}
