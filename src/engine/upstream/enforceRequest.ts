// Holds an answer of a server to what was asked of it: stop sequences, a schema, a choice of tools. Some servers take these
// fields and ignore them (transformers serve 5.24, mlx_lm.server 0.32).
import { runInNewContext } from 'node:vm';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { ResponseFormat, Tool, ToolCall } from '#core/contract/chatMessage.ts';
import { isObject } from '#core/contract/readJson.ts';
import { parseAnswerJson } from '#core/json/answerJson.ts';
import { openSchemaCheck, type SchemaCheck } from '#core/json/schemaCheck.ts';
import { EngineError, type EngineEvent } from '#engine/engine.ts';
import { StopFilter } from '#engine/stopFilter.ts';
import { activeTools } from '#engine/toolChoice.ts';

/**
 * Some schemas take for ever. What can't be judged in this time is passed on. A busy machine can stop a process for 0.3 s, so
 * it is longer than that.
 */
const CHECK_MS = 1_000;
/** Characters of an answer that its error repeats. */
const MAX_SHOWN = 10_000;

function check(schema: unknown, text: string): SchemaCheck | null {
  const run = (): SchemaCheck => openSchemaCheck(schema, { canBeStopped: true })(text);
  try {
    return runInNewContext('run()', { run }, { timeout: CHECK_MS }) as SchemaCheck;
  } catch {
    return null;
  }
}

/** What is wrong with a text that should fit a schema, as the end of a sentence; null: nothing, or it can't be judged. */
function findSchemaFault(schema: unknown, text: string): string | null {
  // Without a clock: most answers of servers that ignore a schema are prose.
  const read = parseAnswerJson(text);
  if (!read.ok) return text.trim() === '' ? 'is empty' : 'is not JSON';
  if (read.isFenced) return 'is in a code fence, so it is not JSON as a whole';
  const found = check(schema, text);
  if (found?.state !== 'invalid') return null;
  const [first] = found.violations;
  return `does not fit its schema${first ? ` at "${first.path || '/'}": ${first.message}` : '.'}`;
}

/** The schema of a format; null: any text. */
function toSchema(format: ResponseFormat | undefined): unknown {
  if (format === undefined || format.type === 'text') return null;
  if (format.type === 'json_object') return { type: 'object' };
  return 'json_schema' in format ? format.json_schema.schema : format.schema;
}

function findCallFault(calls: readonly ToolCall[], tools: readonly Tool[], isForced: boolean): string | null {
  for (const { function: called } of calls) {
    const tool = tools.find(({ function: { name } }) => name === called.name);
    if (tool === undefined) {
      if (isForced) return `called "${called.name}", which tool_choice does not allow`;
      continue;
    }
    const { strict, parameters } = tool.function;
    const isHeld = isForced || strict === true;
    const fault = isHeld ? findSchemaFault(parameters ?? { type: 'object' }, called.arguments) : null;
    if (fault !== null) return `called "${called.name}" with arguments of which the text ${fault}`;
  }
  return null;
}

/** What was asked for and not given, as the end of a sentence; null: nothing. */
function findFault(request: ChatRequest, text: string, calls: readonly ToolCall[]): string | null {
  const { tools, mode } = activeTools(request);
  if (request.tool_choice === 'none' && calls.length > 0) return 'called a tool, although tool_choice is "none"';
  if (mode !== 'free' && calls.length === 0) return 'called no tool, although tool_choice asks for a call';
  const fault = findCallFault(calls, tools, mode !== 'free');
  if (fault !== null || calls.length > 0) return fault;
  const schema = toSchema(request.response_format);
  const wrong = schema === null ? null : findSchemaFault(schema, text);
  return wrong === null ? null : `did not follow response_format: its answer ${wrong}`;
}

/** Whether an answer can be other than asked for. */
const isHeld = (request: ChatRequest): boolean =>
  request.tool_choice === 'none' ||
  activeTools(request).tools.some(({ function: { strict } }) => strict === true) ||
  activeTools(request).mode !== 'free' ||
  toSchema(request.response_format) !== null;

class Held {
  text = '';
  readonly calls: ToolCall[] = [];

  take(event: EngineEvent): void {
    if (event.type === 'text-delta') this.text += event.text;
    if (event.type !== 'tool-call-delta') return;
    const call = (this.calls[event.index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } });
    if (event.name !== undefined) call.function.name = event.name;
    call.function.arguments += event.arguments ?? '';
  }
}

/**
 * The events of an answer, cut at the first stop sequence. Throws EngineError 502 at the end of an answer that is not what
 * was asked for; one that was cut by its length is no fault. `origin` names the server.
 */
export async function* toAskedFor(
  request: ChatRequest,
  events: AsyncIterable<EngineEvent>,
  origin: string,
): AsyncGenerator<EngineEvent, void> {
  const stop = new StopFilter(request.stop);
  const held = isHeld(request) ? new Held() : null;
  const show = (event: EngineEvent): EngineEvent => {
    held?.take(event);
    return event;
  };
  for await (const event of events) {
    const isEnd = event.type === 'message-end';
    if (stop.isStopped && !isEnd) {
      // A server that stopped says so next, with its usage. This one goes on.
      yield* end({ type: 'message-end', finish_reason: 'stop', usage: null });
      return;
    }
    // They say nothing of the text, so what the filter holds stays held.
    if (event.type === 'logprobs') {
      yield event;
      continue;
    }
    if (event.type === 'text-delta') {
      const text = stop.push(event.text);
      if (text !== '') yield show({ type: 'text-delta', text });
      continue;
    }
    const rest = stop.flush();
    if (rest !== '') yield show({ type: 'text-delta', text: rest });
    if (isEnd) yield* end(stop.isStopped ? { ...event, finish_reason: 'stop' } : event);
    else yield show(event);
  }

  function* end(event: Extract<EngineEvent, { type: 'message-end' }>): Generator<EngineEvent, void> {
    const isWhole = event.finish_reason !== 'length' && event.finish_reason !== 'content_filter';
    const fault = held && isWhole ? findFault(request, held.text, held.calls.filter(isObject)) : null;
    if (fault === null) return yield event;
    const shown = held?.text.slice(0, MAX_SHOWN) ?? '';
    throw new EngineError(
      `The engine at ${origin} ${fault}. Not every server can hold a model to that: start it with a grammar, or ask ` +
        `without it.${request.stream === true || shown === '' ? '' : ` It answered: ${shown}`}`,
      502,
      'schema_not_followed',
      fault.startsWith('did not') ? 'response_format' : 'tool_choice',
    );
  }
}
