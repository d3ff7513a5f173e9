// What can be found in a row by itself.
import { isObject, parseJson } from '#core/contract/readJson.ts';
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';
import { isLearnt } from '#core/rows/learnMarks.ts';
import { cleanNulls } from '#features/datasets/shared/nullArguments.ts';
import { isComparison, toAllMessages, toPreferred } from '#core/rows/preferenceRows.ts';
import { findCalls } from '#core/rows/rowCalls.ts';
import { toMainScript } from '#features/datasets/shared/scripts.ts';
import type { FindingId } from './findingKinds.ts';
import { findPersonal } from './personalText.ts';
import { findRefusal } from './refusals.ts';
import { findSecret } from './secretText.ts';
import { isForPrograms } from './taughtText.ts';
import { SIGNS, toSigns } from './textSigns.ts';

export interface RowFault {
  readonly id: FindingId;
  /** Where and what, for people; null: the title says it. */
  readonly note: string | null;
}

type Messages = readonly RowMessage[];

const isEmpty = ({ content, tool_calls: calls = [] }: RowMessage): boolean =>
  calls.length === 0 && (content === null || content.trim() === '');
const isSystem = ({ role }: RowMessage): boolean => role === 'system' || role === 'developer';
const fault = (id: FindingId, note: string | null = null): RowFault => ({ id, note });

function checkAnswers(messages: Messages): RowFault[] {
  const found: RowFault[] = [];
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const answer = messages[last];
  if (!answer) found.push(fault('no-answer'));
  else if (isEmpty(answer)) found.push(fault('empty-answer'));
  const empty = messages.findIndex((message, at) => at !== last && isEmpty(message));
  if (empty >= 0) found.push(fault('empty-message', `Message ${empty + 1} (${messages[empty]?.role}).`));
  if (answer && last < messages.length - 1)
    found.push(fault('ends-with-user', `The last message is of the role ${messages.at(-1)?.role}.`));
  return found;
}

function checkPair({ chosen, rejected }: ChatRow): RowFault[] {
  const toText = (messages: Messages): string =>
    JSON.stringify(messages.map(({ content, tool_calls }) => [content, tool_calls]));
  return chosen && rejected && toText(chosen) === toText(rejected) ? [fault('equal-answers')] : [];
}

function checkMarks(messages: Messages): RowFault[] {
  const found: RowFault[] = [];
  const marked = messages.findIndex(({ weight, train_detail }) => weight === 0 || train_detail !== undefined);
  if (marked < 0) return found;
  const answers = messages.filter(({ role }) => role === 'assistant');
  if (!answers.some(isLearnt)) found.push(fault('all-masked'));
  const disagreeing = messages.findIndex((message) => message.marks_disagree === true);
  if (disagreeing >= 0) found.push(fault('marks-disagree', `Message ${disagreeing + 1}.`));
  return [...found, fault('masked-answer', `Message ${marked + 1}.`)];
}

/** What is wrong with a message after the one before it; null if nothing. */
function findDisorder(before: RowMessage | undefined, message: RowMessage): string | null {
  if (isSystem(message)) return before === undefined ? null : 'is a system message, but not the first';
  // See checkResults.
  if (message.role === 'tool') return null;
  if (before === undefined || isSystem(before))
    return message.role === 'user' ? null : 'is of the assistant, and no user message is before it';
  if (message.role === 'user') return before.role === 'user' ? 'follows another user message' : null;
  return before.role === 'assistant' ? 'follows another assistant message' : null;
}

function checkOrder(messages: Messages): RowFault[] {
  for (const [at, message] of messages.entries()) {
    const disorder = findDisorder(messages[at - 1], message);
    if (disorder !== null) return [fault('role-order', `Message ${at + 1} ${disorder}.`)];
  }
  return [];
}

/** Each call has one result, in any order. Calls that are written as text have no id, and some files leave ids out. */
function checkResults(messages: Messages): RowFault[] {
  if (!messages.some(({ role }) => role === 'tool')) return [];
  const open: (string | null)[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'assistant') {
      for (const { id } of message.tool_calls ?? []) open.push(id || null);
      for (const call of findCalls(message)) if (call.isText) open.push(null);
    } else if (message.role === 'tool') {
      const id = message.tool_call_id || null;
      const call = open.findIndex((each) => each === id || each === null || id === null);
      if (call < 0) return [fault('orphan-tool-result', `Message ${at + 1} is the result of no call before it.`)];
      open.splice(call, 1);
    }
  }
  return [];
}

const isJsonObject = (text: string): boolean => text.trim() === '' || isObject(parseJson(text));

function checkCalls({ messages, tools }: ChatRow): RowFault[] {
  const found: RowFault[] = [];
  const declared = new Set((tools ?? []).map((tool) => tool.function.name));
  for (const [at, message] of messages.entries()) {
    for (const call of findCalls(message)) {
      const name = call.name === '' ? 'A call' : `The call of ${call.name.slice(0, 80)}`;
      if (call.name === '' || !isJsonObject(call.arguments))
        found.push(fault('broken-arguments', `${name} in message ${at + 1}.`));
      // Rows that teach calls as text usually name their tools in the system prompt.
      else if (!declared.has(call.name) && (tools || !call.isText))
        found.push(fault('undeclared-tool', `${name} in message ${at + 1}.`));
    }
  }
  return found;
}

const MARKS =
  /<\|(?:im_start|im_end|im_sep|endoftext|eot_id|begin_of_text|end_of_text|start_header_id|end_header_id|start_of_role|end_of_role|system|user|assistant|end)\|>|\[\/?INST\]|<(?:start|end)_of_turn>/;

const NOTHING: readonly RowFault[] = [];

function checkText(text: string, at: number): readonly RowFault[] {
  const signs = toSigns(text);
  if (signs === 0) return NOTHING;
  const found: RowFault[] = [];
  const secret = findSecret(text, signs);
  if (secret) found.push(fault('secret', `Message ${at + 1} seems to hold ${secret.name}: ${secret.masked}.`));
  const personal = (signs & (SIGNS.at | SIGNS.digits)) === 0 ? null : findPersonal(text);
  if (personal) found.push(fault('personal', `Message ${at + 1} seems to hold ${personal.name}: ${personal.masked}.`));
  const mark = (signs & SIGNS.bracket) === 0 ? null : MARKS.exec(text);
  if (mark) found.push(fault('template-mark', `${mark[0]} in message ${at + 1}.`));
  return found;
}

/** What was found in system prompts: most rows repeat one. */
const known = new Map<string, readonly RowFault[]>();
const MAX_KNOWN = 100;

function checkSystem(text: string): readonly RowFault[] {
  const before = known.get(text);
  if (before) return before;
  const found = checkText(text, 0);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, found);
  return found;
}

function checkTexts(messages: Messages): RowFault[] {
  const found: RowFault[] = [];
  for (const [at, message] of messages.entries()) {
    const { content, tool_calls: calls } = message;
    if (content !== null)
      found.push(...(at === 0 && isSystem(message) ? checkSystem(content) : checkText(content, at)));
    for (const call of calls ?? []) found.push(...checkText(call.function.arguments, at));
  }
  return found;
}

function checkRefusal(messages: Messages): RowFault[] {
  const answer = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  const refusal = isForPrograms(answer) ? null : findRefusal(answer);
  return refusal === null ? [] : [fault('refusal', refusal)];
}

const NO_ASCII = /[^\0-\x7f]/;

function checkScripts(messages: Messages): RowFault[] {
  const answer = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  // Answers for programs have names in English, whatever the language of the question.
  if (isForPrograms(answer)) return [];
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (!NO_ASCII.test(question) && !NO_ASCII.test(answer)) return [];
  const [asked, answered] = [toMainScript(question), toMainScript(answer)];
  if (asked === null || answered === null || asked === answered) return [];
  return [fault('other-script', `${asked}, answered in ${answered}.`)];
}

/** All that is found in one row by itself, each kind once, in the order of the checks. */
export function findRowFaults(row: ChatRow): readonly RowFault[] {
  const chat = toPreferred(row);
  const { messages } = chat;
  const all = [
    ...checkPair(row),
    ...checkAnswers(messages),
    ...checkOrder(messages),
    ...checkResults(messages),
    // What is not wanted is no mark.
    ...(isComparison(row) ? [] : checkMarks(messages)),
    ...checkCalls(chat),
    ...(cleanNulls(row) === row ? [] : [fault('null-arguments')]),
    ...checkTexts(toAllMessages(row)),
    ...checkRefusal(messages),
    ...checkScripts(messages),
  ];
  return all.length < 2 ? all : all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at);
}
