// What both forms of a chat answer share: the run that ends when the caller leaves or the service shuts down.
import type { ServerResponse } from 'node:http';
import type { ChatRequest } from '../contract/chatRequest';
import type { LoadedModel } from '../engine/engine';
import type { OpenStreams } from './openStreams';
import { HttpProblem } from './problem';

/** A validated request and what is needed to answer it. */
export interface ChatRun {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly request: ChatRequest;
  readonly signal: AbortSignal;
  /** Makes the model ready. Throws HttpProblem 404 when there is none of that name, EngineError when it can't be loaded. */
  load(): Promise<LoadedModel>;
}

export interface CallerWatch {
  readonly signal: AbortSignal;
  /** Why the run was ended: the caller left, or the service is ending; null while it goes on. */
  reason(): 'caller-gone' | 'shutdown' | null;
  /** Call when the answer is over. */
  release(): void;
}

/** Aborts its signal when the caller leaves (in every phase) and when the service shuts down. */
export function watchCaller(outgoing: ServerResponse, streams: OpenStreams): CallerWatch {
  const controller = new AbortController();
  let reason: 'caller-gone' | 'shutdown' | null = null;
  const abort = (why: 'caller-gone' | 'shutdown'): void => {
    reason ??= why;
    controller.abort();
  };
  const onClose = (): void => {
    if (!outgoing.writableFinished) abort('caller-gone');
  };
  if (outgoing.destroyed) onClose();
  outgoing.on('close', onClose);
  const remove = streams.add(() => abort('shutdown'));
  return {
    signal: controller.signal,
    reason: () => reason,
    release() {
      outgoing.off('close', onClose);
      remove();
    },
  };
}

export const shutdownProblem = (): HttpProblem =>
  new HttpProblem(503, 'The studio is shutting down. Try again when it runs again.', { code: 'shutting_down', headers: { 'Retry-After': '5' } });

export const unfinishedProblem = (): HttpProblem =>
  new HttpProblem(500, 'The engine stopped without finishing the answer. Try again.', { code: 'engine_stopped' });
