// Makes a training example from a conversation: the messages up to an answer, in the chat format of fine-tuning files
// (one JSON object per line), with the tools of the request. Pure.
import type { ChatMessage, Tool } from '#core/contract/chatMessage.ts';
import { arrayOr, failRead, isObject, parseJson, textOr, type Read } from '#core/contract/readJson.ts';
import { findTurnProblem, hasDoubled, toMessages, toSentTurns } from '#features/playground/web/desk/conversation.ts';
import {
  hasContent,
  isBusy,
  paneSettings,
  shownAnswer,
  type Answer,
  type Desk,
  type Pane,
  type Turn,
} from '#features/playground/web/desk/desk.ts';
import { toParameters } from '#features/playground/web/desk/requestSettings.ts';
import { toTitle } from '#features/playground/web/desk/sessionTitle.ts';
import { fillText } from '#features/playground/web/desk/variables.ts';

const ADVICE = 'Regenerate it, or edit it to what it should have been.';

/** Why an incomplete answer can't be trained on; null if it is complete, or if a person wrote it. */
function findFault({ phase, message, isEdited }: Answer): string | null {
  if (isBusy(phase)) return 'is still on its way.';
  if (isEdited) return null;
  if (phase === 'stopped') return `was stopped before it was complete. ${ADVICE}`;
  if (phase === 'failed') return `failed before it was complete. ${ADVICE}`;
  if (phase !== 'done' || message.state !== 'complete') return `was cut off before it was complete. ${ADVICE}`;
  if (message.finish_reason === 'length')
    return (
      'was cut off at its limit of tokens. Raise Max tokens and regenerate it, or edit it to what it should have ' +
      'been.'
    );
  if (message.finish_reason === 'content_filter') return `was cut off by the service's content filter. ${ADVICE}`;
  return null;
}

/** Checks this answer and all earlier ones: trainers compute the loss on each answer of a row. */
function findAnswerFault(before: readonly Turn[], answer: Answer): string | null {
  const fault = findFault(answer);
  if (fault !== null) return `The answer ${fault}`;
  const earlier = before
    .flatMap((turn) => (turn.role === 'assistant' ? [shownAnswer(turn)] : []))
    .filter(({ message }) => hasContent(message));
  const found = earlier.map(findFault).find((each) => each !== null);
  return found === undefined ? null : `An earlier answer ${found}`;
}

/** The line, or why the answer can't be an example. */
export function toTrainingLine(desk: Desk, pane: Pane, turnId: string): Read<string> {
  const index = pane.turns.findIndex((turn) => turn.id === turnId);
  const turn = pane.turns[index];
  if (turn?.role !== 'assistant') return failRead('An example must end with an answer.');
  const answer = shownAnswer(turn);
  const before = toSentTurns(pane.turns.slice(0, index), desk.isAlone === true);
  const problem = findAnswerFault(before, answer) ?? findTurnProblem(before);
  if (problem !== null) return failRead(problem);
  if (hasDoubled([...before, turn]))
    return failRead(
      'Two messages of a user follow each other, with no answer between them. Delete one, or put both into one.',
    );
  const settings = paneSettings(desk, pane);
  const parameters = toParameters(settings);
  if (!parameters.ok) return failRead(parameters.reason);
  const system = fillText(desk, settings.systemPrompt ?? '');
  const messages = toMessages(system, [...before, turn]);
  if (messages.at(-1)?.role !== 'assistant') return failRead('The answer is empty.');
  if (!messages.some((message) => message.role === 'user'))
    return failRead('There is no user message before the answer.');
  return { ok: true, value: toLine(messages, parameters.value.tools ?? []) };
}

/** Trainers (TRL, Axolotl, LLaMA-Factory) read `tools` beside `messages`. Without tools there is no field. */
const toLine = (messages: readonly ChatMessage[], tools: readonly Tool[]): string =>
  JSON.stringify(tools.length === 0 ? { messages } : { messages, tools })
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

export function toTrainingFile(rows: readonly { readonly line: string }[]): string {
  return rows.map(({ line }) => `${line}\n`).join('');
}

interface RowOutline {
  readonly count: number;
  readonly asked: string;
  readonly answered: string;
}

/** The last question and the answer of a line, for the list. */
export function toRowOutline(line: string): RowOutline {
  const parsed = parseJson(line);
  // A damaged line is shown as text.
  if (parsed === undefined) return { count: 0, asked: '', answered: toTitle(line) };
  const messages = arrayOr(isObject(parsed) ? parsed['messages'] : null).filter(isObject);
  const last = messages.at(-1);
  const calls = arrayOr(last?.['tool_calls'])
    .filter(isObject)
    .map((call) => (isObject(call['function']) ? textOr(call['function']['name'], '') : ''));
  const asked = messages.findLast((message) => message['role'] === 'user');
  return {
    count: messages.length,
    asked: toTitle(textOr(asked?.['content'], '')),
    answered: toTitle(textOr(last?.['content'], '')) || calls.map((name) => `calls ${name}`).join(', '),
  };
}
