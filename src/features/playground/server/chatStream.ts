// A streamed answer (SPEC 6): writes each engine event as a chunk.
// A failure before the first byte is thrown and becomes an HTTP status; a later one becomes an error in the stream.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { EngineEvent, LoadedModel } from '#engine/engine.ts';
import { DONE, encodeData } from '#core/stream/sseEncode.ts';
import { unfinishedProblem, type Askable, type ChatRun, type Run } from './chatAnswer.ts';
import { toChunkText, type ChunkText } from '#service/http/chunkText.ts';
import type { EventStream } from '#service/http/eventStream.ts';
import type { HttpProblem } from '#service/http/httpProblem.ts';
import { problemEnvelope } from '#service/http/problem.ts';

/** The headers wait this long, so that an early failure still gets an HTTP status. Then they announce the answer. */
export const GRACE_MS = 1_000;

export interface StreamOptions {
  readonly stream: EventStream;
  readonly graceMs?: number;
  /** The problem to send for a thrown value; null when the caller has left. */
  readonly explain: (error: unknown) => HttpProblem | null;
  /** What ends a stream that failed; by default an error as a chunk. */
  readonly toEnd?: (problem: HttpProblem) => string;
}

const toErrorEvent = (problem: HttpProblem): string => encodeData(JSON.stringify(problemEnvelope(problem)));

function toText(chunks: ChunkText, event: EngineEvent, includeUsage: boolean): string {
  switch (event.type) {
    case 'text-delta':
      return chunks.text(event.text);
    case 'reasoning-delta':
      return chunks.reasoning(event.text);
    case 'logprobs':
      return chunks.logprobs(event.tokens);
    case 'tool-call-delta':
      return chunks.toolCall(event);
    case 'message-end':
      return chunks.finish(event) + (includeUsage && event.usage ? chunks.usage(event.usage) : '') + DONE;
    default:
      return event satisfies never;
  }
}

/**
 * Writes an answer event by event. `toWriter`: from the model to what stands before the first event, and to each event's
 * text.
 */
export async function writeEvents<Request extends Askable>(
  run: Run<Request>,
  stream: EventStream,
  chat: ChatRequest,
  toWriter: (model: LoadedModel) => { readonly start: string; readonly toText: (event: EngineEvent) => string },
): Promise<void> {
  const model = await run.load();
  const { start, toText } = toWriter(model);
  let before = start;
  for await (const event of model.generate(chat, run.signal, run.caller)) {
    stream.open();
    const text = before + toText(event);
    before = '';
    if (event.type === 'message-end') return stream.end(text);
    const caughtUp = stream.write(text);
    if (caughtUp) await caughtUp;
  }
  throw unfinishedProblem();
}

/** Writes the chunks of a chat. */
export function writeChunks(run: ChatRun, stream: EventStream): Promise<void> {
  const includeUsage = run.request.stream_options?.include_usage === true;
  return writeEvents(run, stream, run.request, ({ id: model, fingerprint: system_fingerprint }) => {
    const chunks = toChunkText({ id: run.id, created: run.created, model, system_fingerprint });
    return { start: chunks.start, toText: (event) => toText(chunks, event, includeUsage) };
  });
}

/** Writes the whole answer by `write`. Throws only while nothing has been written. */
export async function streamAnswer(
  write: (stream: EventStream) => Promise<void>,
  { stream, graceMs = GRACE_MS, explain, toEnd = toErrorEvent }: StreamOptions,
): Promise<void> {
  const grace = setTimeout(() => stream.open(), graceMs);
  try {
    await write(stream);
  } catch (error) {
    if (!stream.isOpen) throw error;
    const problem = explain(error);
    stream.end(problem ? toEnd(problem) : '');
  } finally {
    clearTimeout(grace);
  }
}
