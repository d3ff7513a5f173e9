// Reads streaming answers, a few at a time, and shows the text that was read since the last frame. Reading never waits
// for showing.
import { openChat } from '#ui/client/chat.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { AssistantMessage } from '#core/stream/message.ts';
import { openBrowserSlots } from '#ui/storage/browserSlots.ts';
import { afterTasks } from '#ui/timing/slices.ts';
import { wait } from '#ui/timing/wait.ts';
import {
  changeAnswer,
  type Answer,
  findPane,
  paneSettings,
  toPendingAnswer,
  type Desk,
  type Pane,
} from '#features/playground/web/desk/desk.ts';
import { changeDesk, readDesk } from '#features/playground/web/desk/deskStore.ts';
import { openExchange } from '#features/playground/web/storage/exchange.ts';
import { session, saveNow } from '#features/playground/web/storage/deskSaver.ts';
import { openFrames, type Shown } from './renderSchedule.ts';
import { paced } from './pacing.ts';
import { readAnswer, type AnswerDeps } from './readAnswer.ts';
import {
  registerAnswer,
  onBeforeStop,
  dropAnswer,
  recordArrival,
} from '#features/playground/web/desk/runningAnswers.ts';
import { openStreamQueue } from './streamQueue.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { storeWhileStreaming, openExchangeSaver } from '#features/playground/web/storage/exchangeSaver.ts';
import { toPaneRequest } from '#features/playground/web/desk/paneRequest.ts';
import { panePromptKey, paneSchemaKey } from '#features/playground/web/desk/promptKey.ts';
import { withSeed } from './repeat.ts';

// Requests answers that have a pending version in a conversation: stores the messages, sends each request, stores its
// record.

type Mode = SessionInfo['mode'] | null;

/** A pending version of an answer, to be requested. */
export interface AnswerRequest {
  readonly paneId: string;
  readonly turnId: string;
  readonly answerId: string;
  /** The seed of a sample; absent or null: the seed of the settings. */
  readonly seed?: number | null;
  /** A recorded request to repeat; absent: the request is built from the conversation. */
  readonly request?: ChatRequest;
}

/** A pending answer with the pane's model and seed. */
export function toPending(desk: Desk, pane: Pane, id: string): Answer {
  return toPendingAnswer(id, pane.model, Date.now(), { seed: paneSettings(desk, pane).seed ?? null });
}

async function requestAnswer(
  { paneId, turnId, answerId, seed = null, request }: AnswerRequest,
  mode: Mode,
): Promise<void> {
  const desk = readDesk();
  const pane = findPane(desk, paneId);
  const hasVersion =
    pane?.turns.some((turn) => turn.role === 'assistant' && turn.versions.some((answer) => answer.id === answerId)) ===
    true;
  // The answer was cleared or deleted while the message was being stored.
  if (!pane || !hasVersion) return dropAnswer(answerId);
  const base = request ? { ok: true as const, request } : toPaneRequest(desk, pane, { untilTurn: turnId, mode });
  const built = base.ok ? withSeed(base.request, seed) : base;
  // The keys are taken now: the prompt and the schema may have changed since Run was pressed.
  if (!request)
    changeDesk((now) =>
      changeAnswer(now, paneId, answerId, {
        promptKey: panePromptKey(desk, pane),
        schemaKey: paneSchemaKey(desk, pane),
      }),
    );
  if (built.ok) {
    openExchangeSaver();
    const record = storeWhileStreaming(answerId);
    await startAnswer(paneId, answerId, built.request);
    return record.settled();
  }
  const failure = {
    message: built.problem,
    hint: 'Nothing was sent.',
    status: null,
    code: null,
    param: null,
    requestId: null,
  };
  changeDesk((now) => changeAnswer(now, paneId, answerId, { phase: 'failed', failure }));
  dropAnswer(answerId);
}

/** Stores the messages, then requests the answers independently. */
export async function requestAnswers(requests: readonly AnswerRequest[], mode: Mode): Promise<void> {
  for (const { paneId, answerId } of requests) registerAnswer(paneId, answerId);
  await saveNow();
  await Promise.all(requests.map((each) => requestAnswer(each, mode)));
}

/**
 * A browser opens six connections per host (HTTP/1.1) for all its tabs. Two stay free for the project's poll and
 * everything else.
 */
const MAX_STREAMS = 4;

/** Answers shown per frame: layout and paint of more would be a noticeably long task. */
const MAX_SHOWN = 2;

/** Characters: about one view of text. */
const VIEW_CHARACTERS = 4_000;

const queue = openStreamQueue(MAX_STREAMS, openBrowserSlots('studio.stream', MAX_STREAMS));
const unseen = new Map<string, { readonly paneId: string; readonly patch: Partial<Answer> }>();

/** Characters of text, reasoning and tool calls. */
const lengthOf = (message: AssistantMessage | undefined): number =>
  message === undefined
    ? 0
    : message.text.length +
      message.reasoning.length +
      message.toolCalls.reduce((sum, call) => sum + call.arguments.length, 0);

/** By answer on its way: the number of characters on show. */
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

/** Ids from `unseen` that the current show has not reached yet. */
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

// Shows all unseen text before the desk is stored for the last time, and before an answer is stopped, because it may be
// removed right after.
const showAll = (): void => show([...unseen.keys()]);
session.watchLeaving(showAll);
onBeforeStop(showAll);

/** Opens a queued stream and records its request and response under the answer's id. */
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

/** Opens a stream in the same queue, without a record and without pacing: nobody watches it. */
export const openQueued: AnswerDeps['open'] = (request, { signal, onQueue }) =>
  queue.run(() => openChat(request, { signal }), signal, onQueue);

/** Sends the request of a registered answer that has a version in the pane. Resolves when it has settled. */
async function startAnswer(paneId: string, answerId: string, request: ChatRequest): Promise<void> {
  const signal = registerAnswer(paneId, answerId);
  const onChange = (patch: Partial<Answer>, isUrgent: boolean): void => {
    if (patch.phase === 'streaming') recordArrival(answerId, Date.now());
    unseen.set(answerId, { paneId, patch: { ...unseen.get(answerId)?.patch, ...patch } });
    if (isUrgent) show([answerId]);
    else frames.request();
  };
  await readAnswer(
    { request, signal },
    {
      open: toOpen(answerId),
      now: () => performance.now(),
      wallClock: () => Date.now(),
      wait,
      isLeaving: session.isLeaving,
      onChange,
    },
  );
  dropAnswer(answerId);
  shownLengths.delete(answerId);
}
