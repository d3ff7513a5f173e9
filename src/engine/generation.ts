// Answers one request with a model in memory: queue, prompt and grammar, then the process that has the model. A refused
// request fails before any event.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { TextRequest } from '#core/contract/textCompletion.ts';
import { withAbort } from './abort.ts';
import type { Compiled } from './compileJob.ts';
import type { Compiler } from './compiler.ts';
import { toOverflow, type EngineEvent } from './engine.ts';
import type { ReadyModel } from './modelCache.ts';

/** Characters that every prompt of these messages has: templates drop old reasoning, but no text of a user. */
function countUserCharacters({ messages }: ChatRequest): number {
  return messages.reduce((sum, { role, content }) => sum + (role === 'user' ? (content?.trim().length ?? 0) : 0), 0);
}

/** Throws EngineError 400 for messages that can't fit, however few tokens they need. */
function assertFits({ longestPiece, plan }: ReadyModel, request: ChatRequest): void {
  const leastTokens = Math.ceil(countUserCharacters(request) / longestPiece);
  if (leastTokens >= plan.contextSize) throw toOverflow(`at least ${leastTokens}`, plan.contextSize);
}

/** What the process that has the model gives, with all that a slot is taken for. */
type Running = ReturnType<ReadyModel['answer']>;

/**
 * The events of an answer that `start` begins once there is a slot. The slot stays taken for what it `hold`s, also when the
 * caller has left: a worker still compiles, llama.cpp ends its step.
 */
async function* inSlot(
  ready: ReadyModel,
  { signal, caller }: { readonly signal: AbortSignal; readonly caller: string },
  start: (hold: (work: Promise<unknown>) => void) => Running | Promise<Running>,
): AsyncGenerator<EngineEvent, void> {
  const lease = await ready.slots.enter(caller, signal);
  let working: Promise<unknown> = Promise.resolve();
  const hold = (work: Promise<unknown>): void => {
    working = work;
  };
  try {
    const { events, ended } = await start(hold);
    hold(ended);
    for await (const event of events) {
      if (event.type === 'message-end') lease.complete();
      yield event;
    }
  } finally {
    working.then(lease.end, lease.end);
  }
}

/**
 * The answer to a request (see LoadedModel.generate). Only `signal` ends it from outside. Prompt and grammar are made
 * after the wait, so a waiting request costs nothing but its place in the queue.
 */
export const generate = (
  ready: ReadyModel,
  compiler: Compiler,
  request: ChatRequest,
  signal: AbortSignal,
  caller: string,
): AsyncGenerator<EngineEvent, void> =>
  inSlot(ready, { signal, caller }, async (hold) => {
    assertFits(ready, request);
    const compiling: Promise<Compiled> = compiler.prepare(request, ready.template, signal);
    hold(compiling);
    const compiled = await withAbort(compiling, signal);
    const { model: _, messages: __, response_format: ___, stream: ____, ...rest } = request;
    return ready.answer(rest, { compiled }, signal);
  });

/** The completion of a text, which only `signal` ends from outside. */
export const generateText = (
  ready: ReadyModel,
  { prompt, echo, logprobs, max_tokens, ...rest }: TextRequest,
  signal: AbortSignal,
  caller: string,
): AsyncGenerator<EngineEvent, void> =>
  inSlot(ready, { signal, caller }, () =>
    ready.answer({ ...rest, max_completion_tokens: max_tokens }, { start: { prompt, echo, logprobs } }, signal),
  );
