// Judges answers and the arguments of calls against schemas. Brings the validator along, so only lazily loaded files
// may import it.
import type { Tool } from '#shared/contract/chatMessage.ts';
import { isObject, type Read } from '#shared/contract/reading.ts';
import { openSchemaCheck, type SchemaCheck } from '#shared/evaluation/schemaCheck.ts';
import type { AnswerToolCall } from '#shared/stream/message.ts';
import { isBusy, type Answer } from '#web/playground/desk/desk.ts';
import { parseJsonText } from '#shared/contract/jsonText.ts';
import type { Verdict } from './verdict.ts';
import { findSchemaFaults } from './schemaFaults.ts';

type Check = (text: string) => SchemaCheck;

/** Checks are made once for all answers in view; the schema that was used longest ago leaves. */
const MAX_CHECKS = 16;
const checks = new Map<string, Check>();

/** Against a schema that is no valid one nothing is checked: a violation would be the schema's fault. */
function openCheck(value: unknown): Check {
  const fault = isObject(value) ? findSchemaFaults(value).find(({ isWarning }) => !isWarning) : undefined;
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
  // Branches of one choice may say the same.
  const problems = check.violations.map(({ path, message }) => ({ path, message }));
  return {
    state: 'invalid',
    problems: [...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()],
  };
}

/** Where JSON stops being JSON, in words. Browsers word it differently. */
function toSyntaxMessage(text: string): string {
  const json = parseJsonText(text);
  if (json.ok) return '';
  if (text.trim() === '') return 'Nothing is written here.';
  const rest = text.slice(json.offset).trimStart().slice(0, 24).split('\n', 1)[0] ?? '';
  return rest === ''
    ? `The JSON ends too early, in line ${json.line}.`
    : `It stops being JSON in line ${json.line}, at “${rest}”.`;
}

/** An answer as it stands, against the schema in a typed text. Half a JSON is never called wrong. */
export function judgeAnswer(answer: Pick<Answer, 'phase' | 'message'>, schemaText: string): Verdict {
  if (isBusy(answer.phase)) return { state: 'open' };
  const { text, finish_reason } = answer.message;
  if (schemaText.trim() === '') return { state: 'no-check', message: 'Write the schema first.' };
  const schema = parseJsonText(schemaText);
  if (!schema.ok) return { state: 'no-check', message: `The schema is not valid JSON at line ${schema.line}.` };
  const found = toVerdict(findCheck(schemaText, schema.value)(text));
  if (found.state !== 'not-json') return found;
  if (answer.phase !== 'done') return { state: 'cut', message: 'The answer broke off before the JSON was complete.' };
  if (finish_reason === 'length')
    return { state: 'cut', message: 'The token limit was reached before the JSON was complete.' };
  return { state: 'not-json', message: toSyntaxMessage(text) };
}

/** A call as it stands, against the tools of now. `isComplete`: nothing more comes. */
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
