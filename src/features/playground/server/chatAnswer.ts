// Shared by both forms of a chat answer: the run, and its end when the caller leaves or the service shuts down.
import type { ServerResponse } from 'node:http';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { LoadedModel } from '#engine/engine.ts';
import type { OpenStreams } from '#service/http/openStreams.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';

/** What each form of request for text has. */
export interface Askable {
  readonly model: string;
  readonly stream?: boolean | undefined;
}

/** A validated request with everything that answering it needs. */
export interface Run<Request extends Askable> {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly request: Request;
  readonly signal: AbortSignal;
  /** The caller's key: answers of different callers take turns. */
  readonly caller: string;
  /**
   * Makes the model ready. Throws HttpProblem 404 when no model has that name, EngineError when it can't be loaded.
   */
  load(): Promise<LoadedModel>;
}

export type ChatRun = Run<ChatRequest>;

export interface CallerWatch {
  readonly signal: AbortSignal;
  /** Why the run was ended: the caller left, the service is ending, or it took too long; null while it goes on. */
  reason(): EndReason | null;
  /** Call when the answer is over. */
  release(): void;
}

type EndReason = 'caller-gone' | 'shutdown' | 'too-long';

/** Aborts its signal when the caller leaves (in every phase), when the service shuts down, and after `totalMs`. */
export function watchCaller(outgoing: ServerResponse, streams: OpenStreams, totalMs?: number): CallerWatch {
  const controller = new AbortController();
  let reason: EndReason | null = null;
  const abort = (why: EndReason): void => {
    reason ??= why;
    controller.abort();
  };
  const onClose = (): void => {
    if (!outgoing.writableFinished) abort('caller-gone');
  };
  if (outgoing.destroyed) onClose();
  outgoing.on('close', onClose);
  const remove = streams.add(() => abort('shutdown'));
  const limit = totalMs === undefined ? undefined : setTimeout(() => abort('too-long'), totalMs);
  return {
    signal: controller.signal,
    reason: () => reason,
    release() {
      clearTimeout(limit);
      outgoing.off('close', onClose);
      remove();
    },
  };
}

/** Closes the connection if the caller hasn't read the answer within `ms`. Call when all of it is sent. */
export function dropSlowReader(outgoing: ServerResponse, ms: number): void {
  if (outgoing.destroyed) return;
  const timer = setTimeout(() => outgoing.destroy(), ms);
  outgoing.once('close', () => clearTimeout(timer));
}

const toMinutes = (ms: number): string => `${Math.max(1, Math.round(ms / 60_000))} min`;

export const tooLongProblem = (ms: number): HttpProblem =>
  new HttpProblem(
    504,
    `The answer was not complete after ${toMinutes(ms)}, the most that one may take. ` +
      'Lower max_completion_tokens or shorten the conversation.',
    { code: 'answer_too_long' },
  );

export const shutdownProblem = (): HttpProblem =>
  new HttpProblem(503, 'The studio is shutting down. Try again when it runs again.', {
    code: 'shutting_down',
    headers: { 'Retry-After': '5' },
  });

export const unfinishedProblem = (): HttpProblem =>
  new HttpProblem(500, 'The engine stopped without finishing the answer. Try again.', { code: 'engine_stopped' });
