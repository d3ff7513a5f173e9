// Checks of the tool calls of an answer: all of them as one, or each argument by itself. Pure.
import { toCallParts } from './callParts.ts';
import { fail, noCheck, PASS, toPartsResult, type CheckResult } from './checkResult.ts';
import { findCallDifference, parseToolCalls, type WrittenCall } from './toolCalls.ts';

const IN_TEXT: CheckResult = {
  state: 'pass',
  note: 'The calls stand in the text: no tools were sent, so the service did not read them as calls.',
};

/** Calls that the model wrote into its text as its template does; null: none that can be read. */
function findTextCalls(answer: string): readonly WrittenCall[] | null {
  if (!answer.includes('<tool_call>')) return null;
  const read = parseToolCalls(answer);
  return read.ok ? read.value.map(({ name, arguments: value }) => ({ name, arguments: JSON.stringify(value) })) : null;
}

export function compareCalls(answer: string, calls: readonly WrittenCall[], expectedText: string): CheckResult {
  const expected = parseToolCalls(expectedText);
  if (!expected.ok) return noCheck(`The expected answer holds no tool call: ${expected.reason}.`);
  const inText = calls.length === 0 ? findTextCalls(answer) : null;
  const difference = findCallDifference(inText ?? calls, expected.value);
  if (difference !== null) return fail(difference);
  return inText ? IN_TEXT : PASS;
}

export function compareArguments(answer: string, calls: readonly WrittenCall[], expectedText: string): CheckResult {
  const expected = parseToolCalls(expectedText);
  if (!expected.ok) return noCheck(`The expected answer holds no tool call: ${expected.reason}.`);
  const inText = calls.length === 0 ? findTextCalls(answer) : null;
  const result = toPartsResult(toCallParts(inText ?? calls, expected.value));
  return inText && result.state === 'pass' ? { ...result, ...IN_TEXT } : result;
}
