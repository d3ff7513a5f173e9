// Reads answers on their way, a few at a time, and shows what was read since the last frame. Reading is never held up
// by showing.
import { openChat } from '#web/api/chat.ts';
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import type { AssistantMessage } from '#shared/stream/message.ts';
import { openBrowserSlots } from '#web/session/browserSlots.ts';
import { afterTasks } from '#web/ui/timing/slices.ts';
import { wait } from '#web/ui/timing/wait.ts';
import { changeAnswer, type Answer } from '#web/playground/desk/desk.ts';
import { changeDesk } from '#web/playground/desk/deskStore.ts';
import { openExchange } from '#web/playground/storage/liveExchanges.ts';
import { isLeaving, watchLeaving } from '#web/playground/storage/deskSaver.ts';
import { openFrames, type Shown } from './frames.ts';
import { paced } from './pacing.ts';
import { runAnswer, type AnswerDeps } from './runAnswer.ts';
import { registerAnswer, onBeforeStop, dropAnswer, recordArrival } from '#web/playground/desk/runningAnswers.ts';
import { openStreamQueue } from './streamQueue.ts';

/**
 * A browser opens six connections per host (HTTP/1.1) for all its tabs: two are left for the project's poll and all
 * else.
 */
const MAX_STREAMS = 4;

/** Answers that are shown in one frame: laying out and painting more of them is felt as one long task. */
const MAX_SHOWN = 2;

/** Characters: about as many as a view of text holds. */
const VIEW_CHARACTERS = 4_000;

const queue = openStreamQueue(MAX_STREAMS, openBrowserSlots('studio.stream', MAX_STREAMS));
const unseen = new Map<string, { readonly paneId: string; readonly patch: Partial<Answer> }>();

/** Characters of what a model says and thinks and calls. */
const lengthOf = (message: AssistantMessage | undefined): number =>
  message === undefined
    ? 0
    : message.text.length +
      message.reasoning.length +
      message.toolCalls.reduce((sum, call) => sum + call.arguments.length, 0);

/** Of each answer on its way: how much is on show. */
const shownLengths = new Map<string, number>();

const isFlooded = (): boolean =>
  [...unseen].some(
    ([answerId, { patch }]) => lengthOf(patch.message) - (shownLengths.get(answerId) ?? 0) > VIEW_CHARACTERS,
  );

function show(answerIds: readonly string[]): void {
  for (const answerId of answerIds) {
    const message = unseen.get(answerId)?.patch.message;
    if (message) shownLengths.set(answerId, lengthOf(message));
  }
  changeDesk((desk) =>
    answerIds.reduce((next, answerId) => {
      const { paneId, patch } = unseen.get(answerId) ?? {};
      unseen.delete(answerId);
      return paneId !== undefined && patch ? changeAnswer(next, paneId, answerId, patch) : next;
    }, desk),
  );
}

/** Those of `unseen` that have not had their frame yet. */
let due: string[] = [];

function showNext(): Shown {
  if (due.length === 0) due = [...unseen.keys()];
  show(due.splice(0, MAX_SHOWN));
  if (due.length > 0) return 'part';
  return unseen.size > 0 ? 'older' : 'all';
}

const frames = openFrames(showNext, {
  now: () => performance.now(),
  isHidden: () => document.hidden,
  requestFrame: (callback) => void requestAnimationFrame(callback),
  later: (callback, ms) => void setTimeout(callback, ms),
  isFlooded,
  afterFrame: afterTasks,
});

// What has been read but not shown is brought up to date before the desk is stored for the last time, and before an
// answer is stopped: it may be taken away right after.
const showAll = (): void => show([...unseen.keys()]);
watchLeaving(showAll);
onBeforeStop(showAll);

/** What goes over the wire is recorded under the answer's id. */
const toOpen =
  (answerId: string): AnswerDeps['open'] =>
  (request, { signal, onQueue }) =>
    queue.run(
      () => {
        const tap = openExchange(answerId);
        let arrivedAt = 0;
        const onText = (text: string): void => {
          arrivedAt = performance.now();
          tap.onText(text);
        };
        return paced(openChat(request, { signal, tap: { ...tap, onText } }), {
          now: () => performance.now(),
          arrivedAt: () => arrivedAt,
          pause: () => new Promise<void>(afterTasks),
        });
      },
      signal,
      onQueue,
    );

/** An answer that nobody watches while it is written, in the same line as all others. */
export const openQueued: AnswerDeps['open'] = (request, { signal, onQueue }) =>
  queue.run(() => openChat(request, { signal }), signal, onQueue);

/** Sends the request for an announced answer that the pane has a version for. Resolves when it has settled. */
export async function startAnswer(paneId: string, answerId: string, request: ChatRequest): Promise<void> {
  const signal = registerAnswer(paneId, answerId);
  const onChange = (patch: Partial<Answer>, isUrgent: boolean): void => {
    if (patch.phase === 'streaming') recordArrival(answerId, Date.now());
    unseen.set(answerId, { paneId, patch: { ...unseen.get(answerId)?.patch, ...patch } });
    if (isUrgent) show([answerId]);
    else frames.request();
  };
  await runAnswer(
    { request, signal },
    { open: toOpen(answerId), now: () => performance.now(), wallClock: () => Date.now(), wait, isLeaving, onChange },
  );
  dropAnswer(answerId);
  shownLengths.delete(answerId);
}
