// Answers on their way: one AbortController each, and what was read since the last frame.
// Reading is never held up by showing. It must not know components.
import { openChat } from '../api/chat';
import type { ChatRequest } from '../contract/chatRequest';
import { changeAnswer, type AnswerTurn } from './desk';
import { changeDesk } from './deskStore';
import { openFrames } from './frames';
import { runAnswer, type AnswerDeps } from './runAnswer';
import { openStreamQueue } from './streamQueue';

/** A browser opens six connections per host (HTTP/1.1): two are left for the project's poll and all else. */
const MAX_STREAMS = 4;

interface Running {
  readonly paneId: string;
  readonly controller: AbortController;
}

const running = new Map<string, Running>();
const queue = openStreamQueue(MAX_STREAMS);
const unseen = new Map<string, { readonly paneId: string; readonly patch: Partial<AnswerTurn> }>();

function show(): void {
  if (unseen.size === 0) return;
  const patches = [...unseen];
  unseen.clear();
  changeDesk((desk) => patches.reduce((next, [answerId, { paneId, patch }]) => changeAnswer(next, paneId, answerId, patch), desk));
}

export const frames = openFrames(show, {
  now: () => performance.now(),
  isHidden: () => document.hidden,
  requestFrame: (callback) => void requestAnimationFrame(callback),
  later: (callback, ms) => void setTimeout(callback, ms),
});

function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

const open: AnswerDeps['open'] = (request, { signal, onQueue }) => queue.run(() => openChat(request, { signal }), signal, onQueue);

/** Makes an answer stoppable before its request is sent. */
export function announceAnswer(paneId: string, answerId: string): AbortSignal {
  const controller = new AbortController();
  running.set(answerId, { paneId, controller });
  return controller.signal;
}

/** Sends the request for an announced answer that the pane has a turn for. Resolves when it has settled. */
export async function startAnswer(paneId: string, answerId: string, request: ChatRequest): Promise<void> {
  const signal = running.get(answerId)?.controller.signal ?? announceAnswer(paneId, answerId);
  const onChange = (patch: Partial<AnswerTurn>, isUrgent: boolean): void => {
    unseen.set(answerId, { paneId, patch: { ...unseen.get(answerId)?.patch, ...patch } });
    if (isUrgent) frames.flush();
    else frames.request();
  };
  await runAnswer(
    { request, signal },
    { open, now: () => performance.now(), wallClock: () => Date.now(), wait, onChange },
  );
  running.delete(answerId);
}

/** Stops the pane's answer, or every answer. What has arrived stays. */
export function stopAnswers(paneId: string | null): void {
  for (const answer of running.values()) {
    if (paneId === null || answer.paneId === paneId) answer.controller.abort();
  }
}

