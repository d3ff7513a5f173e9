// Requests answers that have a pending version in a conversation: stores the messages, sends each request, stores its
// record.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { SessionInfo } from '#core/contract/routes.ts';
import {
  changeAnswer,
  findPane,
  paneSettings,
  toPendingAnswer,
  type Answer,
  type Desk,
  type Pane,
} from '#features/playground/web/desk/desk.ts';
import { saveNow } from '#features/playground/web/storage/deskSaver.ts';
import { changeDesk, readDesk } from '#features/playground/web/desk/deskStore.ts';
import { storeWhileStreaming, openExchangeSaver } from '#features/playground/web/storage/exchangeSaver.ts';
import { toPaneRequest } from '#features/playground/web/desk/paneRequest.ts';
import { panePromptKey, paneSchemaKey } from '#features/playground/web/desk/promptKey.ts';
import { withSeed } from './repeat.ts';
import { startAnswer } from './running.ts';
import { registerAnswer, dropAnswer } from '#features/playground/web/desk/runningAnswers.ts';

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
