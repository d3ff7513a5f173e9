// Judges answers and the arguments of calls against schemas. Imports the validator, so only lazily loaded files may
// import this one.
import type { Tool } from '#core/contract/chatMessage.ts';
import { isObject, type Read } from '#core/contract/readJson.ts';
import { openSchemaCheck, type SchemaCheck } from '#core/json/schemaCheck.ts';
import type { AnswerToolCall } from '#core/stream/message.ts';
import { isBusy, type Answer } from '#features/playground/web/desk/desk.ts';
import { parseJsonText } from '#core/contract/jsonText.ts';
import type { Verdict } from './verdict.ts';
import { findKeywordFaults } from './keywordFaults.ts';

type Check = (text: string) => SchemaCheck;

/** All answers share one check per schema. The least recently used check is dropped. */
const MAX_CHECKS = 16;
const checks = new Map<string, Check>();

/** An invalid schema checks nothing: each violation would be the fault of the schema. */
function openCheck(value: unknown): Check {
  const fault = findKeywordFaults(value).find(({ isWarning }) => !isWarning);
  return fault
    ? () => ({ state: 'no-check', message: `The schema has a problem. ${fault.message}` })
    : openSchemaCheck(value);
}

function findCheck(schema: string, value: unknown): Check {
  const check = checks.get(schema) ?? openCheck(value);
  checks.delete(schema);
  checks.set(schema, check);
  const oldest = checks.keys().next();
  if (checks.size > MAX_CHECKS && !oldest.done) checks.delete(oldest.value);
  return check;
}

function toVerdict(check: SchemaCheck): Verdict {
  if (check.state !== 'invalid') return check;
  // Several branches of a choice can report the same violation.
  const problems = check.violations.map(({ path, message }) => ({ path, message }));
  return {
    state: 'invalid',
    problems: [...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()],
  };
}

/** Where the text stops being JSON. The words are our own, because browsers differ in theirs. */
function toSyntaxMessage(text: string): string {
  const json = parseJsonText(text);
  if (json.ok) return '';
  if (text.trim() === '') return 'The field is empty.';
  const rest = text.slice(json.offset).trimStart().slice(0, 24).split('\n', 1)[0] ?? '';
  return rest === ''
    ? `The JSON ends too early, in line ${json.line}.`
    : `It is not valid JSON from line ${json.line} on, at “${rest}”.`;
}

/** Judges an answer against a typed schema. An answer that still arrives or broke off is never called wrong JSON. */
export function judgeAnswer(answer: Pick<Answer, 'phase' | 'message'>, schemaText: string): Verdict {
  if (isBusy(answer.phase)) return { state: 'open' };
  const { text, finish_reason } = answer.message;
  if (schemaText.trim() === '') return { state: 'no-check', message: 'Write the schema first.' };
  const schema = parseJsonText(schemaText);
  if (!schema.ok) return { state: 'no-check', message: `The schema is not valid JSON at line ${schema.line}.` };
  const found = toVerdict(findCheck(schemaText, schema.value)(text));
  if (found.state !== 'not-json') return found;
  if (answer.phase !== 'done') return { state: 'cut', message: 'The answer was cut off before the JSON was complete.' };
  if (finish_reason === 'length')
    return { state: 'cut', message: 'The token limit was reached before the JSON was complete.' };
  return { state: 'not-json', message: toSyntaxMessage(text) };
}

/** Judges the arguments of a call against the current tools. `isComplete`: the call has arrived in full. */
export function judgeCall(call: AnswerToolCall, isComplete: boolean, tools: Read<readonly Tool[]>): Verdict {
  if (!isComplete) return { state: 'open' };
  if (!parseJsonText(call.arguments).ok) return { state: 'not-json', message: toSyntaxMessage(call.arguments) };
  if (!tools.ok) return { state: 'no-check', message: 'The tools can’t be read.' };
  const tool = tools.value.find((each) => each.function.name === call.name);
  if (!tool)
    return {
      state: 'no-check',
      message: tools.value.length === 0 ? 'No tools are set.' : `No tool is called “${call.name}”.`,
    };
  const { parameters } = tool.function;
  if (!isObject(parameters) || Object.keys(parameters).length === 0)
    return { state: 'no-check', message: 'The tool has no schema for its parameters.' };
  return toVerdict(findCheck(JSON.stringify(parameters), parameters)(call.arguments));
}
