// The ids of the tool calls in a chat, and the call that each result belongs to. It keeps track from message to
// message, so a late message costs no more than an early one.
import type { ToolCall } from '#core/contract/chatMessage.ts';
import { failRead, isObject, type Read } from '#core/contract/readJson.ts';
import { readToolCall } from './toolCalls.ts';

export interface SentCalls {
  /**
   * The calls of one message as they will be sent. A call without an id gets one. A reason starts with the place in the
   * message.
   */
  readonly readCalls: (values: readonly unknown[]) => Read<readonly ToolCall[]>;
  /** The id of the call that a result belongs to. A reason continues a text with the place of the message. */
  readonly readResult: (given: unknown) => Read<string>;
}

/** Arguments that are a text are sent unchanged, white space included. */
function toText(value: unknown, parsed: unknown): string {
  const call = isObject(value) ? value : {};
  const source = isObject(call['function']) ? call['function'] : call;
  return typeof source['arguments'] === 'string' ? source['arguments'] : JSON.stringify(parsed);
}

/** `given`: all ids in the chat's data. Made ids must differ from them. */
export function openSentCalls(given: ReadonlySet<string>): SentCalls {
  const known = new Set<string>();
  /** Calls without a result so far, in order. */
  const open = new Set<string>();
  let calls = 0;
  let made = 0;

  function makeId(): string {
    made = Math.max(made + 1, calls);
    while (given.has(`call_${made}`)) made += 1;
    return `call_${made}`;
  }

  return {
    readCalls(values) {
      const read: ToolCall[] = [];
      for (const [at, value] of values.entries()) {
        const call = readToolCall(value);
        if (!call.ok) return failRead(`tool_calls[${at}] can't be used: ${call.reason}.`);
        calls += 1;
        const id = isObject(value) && typeof value['id'] === 'string' ? value['id'] : makeId();
        known.add(id);
        open.add(id);
        read.push({
          id,
          type: 'function',
          function: { name: call.value.name, arguments: toText(value, call.value.arguments) },
        });
      }
      return { ok: true, value: read };
    },
    readResult(wanted) {
      // A result without an id belongs to the next call.
      const id = typeof wanted === 'string' ? wanted : open.values().next().value;
      if (id === undefined) return failRead(' is the result of a tool that was not called.');
      if (!known.has(id))
        return failRead(`.tool_call_id is ${id}, but no call before it has that id. Give it the id of its call.`);
      open.delete(id);
      return { ok: true, value: id };
    },
  };
}
