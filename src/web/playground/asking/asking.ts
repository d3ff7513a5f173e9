// Asks for answers that stand in a conversation already: keeps what was said, sends each request, keeps its record.
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

/** A version of an answer that is to be asked for. */
export interface AnswerRequest {
  readonly paneId: string;
  readonly turnId: string;
  readonly answerId: string;
  /** The seed of one of several samples; absent or null: that of the settings. */
  readonly seed?: number | null;
  /** A request that is sent once more; absent: one is made of the conversation. */
  readonly request?: ChatRequest;
}

/** An answer that is about to be asked for with the pane's model and settings. */
export function toPending(desk: Desk, pane: Pane, id: string): Answer {
  return toPendingAnswer(id, pane.model, Date.now(), { seed: paneSettings(desk, pane).seed ?? null });
}

async function ask({ paneId, turnId, answerId, seed = null, request }: AnswerRequest, mode: Mode): Promise<void> {
  const desk = readDesk();
  const pane = findPane(desk, paneId);
  const isThere =
    pane?.turns.some((turn) => turn.role === 'assistant' && turn.versions.some((answer) => answer.id === answerId)) ===
    true;
  // Cleared or deleted while the message was being kept.
  if (!pane || !isThere) return dropAnswer(answerId);
  const made = request ? { ok: true as const, request } : toPaneRequest(desk, pane, { untilTurn: turnId, mode });
  const built = made.ok ? withSeed(made.request, seed) : made;
  // Not when Run was pressed: the prompt and the schema may have changed since.
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

/** Keeps what was said, then asks for the answers, each on its own. */
export async function requestAnswers(asked: readonly AnswerRequest[], mode: Mode): Promise<void> {
  for (const { paneId, answerId } of asked) registerAnswer(paneId, answerId);
  await saveNow();
  await Promise.all(asked.map((each) => ask(each, mode)));
}
