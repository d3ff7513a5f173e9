// The calls of tools in a chat and their results: which ids they have, and which call a result belongs to. Kept along,
// so that a message costs the same wherever it stands.
import type { ToolCall } from '#shared/contract/chatMessage.ts';
import { failRead, isObject, type Read } from '#shared/contract/reading.ts';
import { readToolCall } from './toolCalls.ts';

export interface SentCalls {
  /**
   * The calls of one message as they are sent; those without an id are given one. A reason begins with the place in the
   * message.
   */
  readonly readCalls: (values: readonly unknown[]) => Read<readonly ToolCall[]>;
  /** The id of the call that a result is of. A reason goes on from the place of the message. */
  readonly readResult: (given: unknown) => Read<string>;
}

/** Arguments that are text go out as they are, whatever white space they hold. */
function toText(value: unknown, parsed: unknown): string {
  const call = isObject(value) ? value : {};
  const source = isObject(call['function']) ? call['function'] : call;
  return typeof source['arguments'] === 'string' ? source['arguments'] : JSON.stringify(parsed);
}

/** `given`: ids that the chat brings, also in later messages; none that is made may be one of them. */
export function openSentCalls(given: ReadonlySet<string>): SentCalls {
  const known = new Set<string>();
  /** Calls without a result so far, in their order. */
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
      // Without an id a result is that of the next call.
      const id = typeof wanted === 'string' ? wanted : open.values().next().value;
      if (id === undefined) return failRead(' is the result of a tool that was not called.');
      if (!known.has(id))
        return failRead(`.tool_call_id is ${id}, but no call before it has that id. Give it the id of its call.`);
      open.delete(id);
      return { ok: true, value: id };
    },
  };
}
