// POST /api/v1/completions on the local engine: a text that goes on, with log probabilities if they are asked for.
import {
  parseTextRequest,
  type TextLogprobs,
  type TextRequest,
  type TextRequests,
} from '#core/contract/textCompletion.ts';
import type { Usage } from '#core/contract/completion.ts';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import { DONE, encodeData } from '#core/stream/sseEncode.ts';
import type { EngineEvent, LoadedModel, ScoredToken } from '#engine/engine.ts';
import { unfinishedProblem, type Run } from './chatAnswer.ts';
import { toAskRoute, type AnswerForm, type ChatDeps } from './chatRoute.ts';
import type { EventStream } from '#service/http/eventStream.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { Route } from '#service/http/route.ts';

/** Of a token that is none of the likeliest, too, as in OpenAI's API. */
function toTop({ text, logprob, top }: ScoredToken): Record<string, number> | null {
  return top === null || logprob === null ? null : { [text]: logprob, ...Object.fromEntries(top) };
}

const toLogprobs = (tokens: readonly ScoredToken[]): TextLogprobs => ({
  tokens: tokens.map(({ text }) => text),
  token_logprobs: tokens.map(({ logprob }) => logprob),
  top_logprobs: tokens.map(toTop),
  text_offset: tokens.map(({ offset }) => offset),
});

function addUsage(sum: Usage | null, usage: Usage | null): Usage | null {
  if (sum === null || usage === null) return null;
  return {
    prompt_tokens: sum.prompt_tokens + usage.prompt_tokens,
    completion_tokens: sum.completion_tokens + usage.completion_tokens,
    total_tokens: sum.total_tokens + usage.total_tokens,
  };
}

const NONE: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

/** Throws HttpProblem 400 for a model of an engine that only chats. */
async function loadComplete(run: Run<TextRequests>): Promise<{
  readonly model: LoadedModel;
  readonly complete: (request: TextRequest) => AsyncIterable<EngineEvent>;
}> {
  const model = await run.load();
  if (model.complete === undefined)
    throw new HttpProblem(
      400,
      `The model "${run.request.model}" is served by the server of --engine, and this studio passes only chats on to it. ` +
        `Ask that server itself, or use /api/v1/chat/completions.`,
      { param: 'model', code: 'chat_only' },
    );
  const complete = model.complete.bind(model);
  return { model, complete: (request) => complete(request, run.signal, run.caller) };
}

const toHead = (run: Run<TextRequests>, { id: model, fingerprint }: LoadedModel) => ({
  id: run.id,
  object: 'text_completion' as const,
  created: run.created,
  model,
  system_fingerprint: fingerprint,
});

async function collectText(run: Run<TextRequests>): Promise<object> {
  const { model, complete } = await loadComplete(run);
  const choices: object[] = [];
  let sum: Usage | null = NONE;
  for (const [index, request] of run.request.prompts.entries()) {
    let text = '';
    const tokens: ScoredToken[] = [];
    let end: Extract<EngineEvent, { type: 'message-end' }> | null = null;
    for await (const event of complete(request)) {
      if (event.type === 'text-delta') {
        text += event.text;
        tokens.push(...(event.tokens ?? []));
      } else if (event.type === 'message-end') end = event;
    }
    if (end === null) throw unfinishedProblem();
    const logprobs = request.logprobs === null ? null : toLogprobs(tokens);
    choices.push({ text, index, logprobs, finish_reason: end.finish_reason });
    sum = addUsage(sum, end.usage);
  }
  return { ...toHead(run, model), choices, ...(sum && { usage: sum }) };
}

async function writeText(run: Run<TextRequests>, stream: EventStream): Promise<void> {
  const { model, complete } = await loadComplete(run);
  const head = toHead(run, model);
  const toChunk = (fields: object): string => encodeData(JSON.stringify({ ...head, ...fields }));
  let sum: Usage | null = NONE;
  for (const [index, request] of run.request.prompts.entries()) {
    let isEnded = false;
    for await (const event of complete(request)) {
      stream.open();
      if (event.type === 'text-delta') {
        const logprobs = event.tokens ? toLogprobs(event.tokens) : null;
        const caughtUp = stream.write(
          toChunk({ choices: [{ text: event.text, index, logprobs, finish_reason: null }] }),
        );
        if (caughtUp) await caughtUp;
      } else if (event.type === 'message-end') {
        isEnded = true;
        sum = addUsage(sum, event.usage);
        stream.write(toChunk({ choices: [{ text: '', index, logprobs: null, finish_reason: event.finish_reason }] }));
      }
    }
    if (!isEnded) throw unfinishedProblem();
  }
  stream.end((run.request.includeUsage && sum ? toChunk({ choices: [], usage: sum }) : '') + DONE);
}

const TEXT: AnswerForm<TextRequests> = { prefix: 'cmpl-', collect: collectText, write: writeText };

export const toTextRoute = (deps: ChatDeps): Route => toAskRoute(deps, STUDIO.createCompletion, parseTextRequest, TEXT);
