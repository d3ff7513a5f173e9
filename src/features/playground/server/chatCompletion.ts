// An answer without streaming (SPEC 2.4): engine events folded into one completion.
import type { ToolCall } from '#core/contract/chatMessage.ts';
import type { Completion } from '#core/contract/completion.ts';
import type { TokenLogprob } from '#core/stream/events.ts';
import type { EngineEvent } from '#engine/engine.ts';
import { unfinishedProblem, type ChatRun } from './chatAnswer.ts';

type CallDelta = Extract<EngineEvent, { type: 'tool-call-delta' }>;

/** Adds a delta to its tool call. The first delta of a call has its id and name. */
function addCall(calls: ToolCall[], delta: CallDelta): void {
  const call = (calls[delta.index] ??= { id: delta.id ?? '', type: 'function', function: { name: '', arguments: '' } });
  if (delta.id !== undefined) call.id = delta.id;
  if (delta.name !== undefined) call.function.name = delta.name;
  call.function.arguments += delta.arguments ?? '';
}

/** Runs the model to its end. Throws EngineError, AbortError, or HttpProblem 500 when the engine sends no end. */
export async function collectCompletion(run: ChatRun): Promise<Completion> {
  const { id, created } = run;
  const model = await run.load();
  let content = '';
  let reasoning = '';
  const calls: ToolCall[] = [];
  const tokens: TokenLogprob[] = [];
  for await (const event of model.generate(run.request, run.signal, run.caller)) {
    if (event.type === 'text-delta') content += event.text;
    else if (event.type === 'reasoning-delta') reasoning += event.text;
    else if (event.type === 'tool-call-delta') addCall(calls, event);
    else if (event.type === 'logprobs') tokens.push(...event.tokens);
    else {
      const toolCalls = calls.filter((call) => call !== undefined);
      const message = {
        role: 'assistant' as const,
        content: content === '' && toolCalls.length > 0 ? null : content,
        ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
        ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
      };
      return {
        id,
        choices: [
          {
            finish_reason: event.finish_reason,
            index: 0,
            message,
            ...(tokens.length > 0 && { logprobs: { content: tokens } }),
          },
        ],
        created,
        model: model.id,
        object: 'chat.completion',
        system_fingerprint: model.fingerprint,
        // SPEC 2.4: usage may be left out when it is not known.
        ...(event.usage ? { usage: event.usage } : {}),
        ...(event.omitted ? { omitted_defaults: event.omitted } : {}),
      };
    }
  }
  throw unfinishedProblem();
}
