// Requests answers that have a pending version in a conversation: stores the messages, sends each request, stores its
// record.
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import type { SessionInfo } from '#shared/contract/routes.ts';
import {
  changeAnswer,
  findPane,
  paneSettings,
  toPendingAnswer,
  type Answer,
  type Desk,
  type Pane,
} from '#web/playground/desk/desk.ts';
import { saveNow } from '#web/playground/storage/deskSaver.ts';
import { changeDesk, readDesk } from '#web/playground/desk/deskStore.ts';
import { storeWhileStreaming, openExchangeSaver } from '#web/playground/storage/exchangeSaver.ts';
import { toPaneRequest } from '#web/playground/desk/paneRequest.ts';
import { panePromptKey, paneSchemaKey } from '#web/playground/desk/promptKey.ts';
import { withSeed } from './repeat.ts';
import { startAnswer } from './running.ts';
import { registerAnswer, dropAnswer } from '#web/playground/desk/runningAnswers.ts';

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
