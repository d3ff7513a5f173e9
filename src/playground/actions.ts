// What a person can do in the playground, as plain functions. The only place that changes the store.
// It must not know components.
import { toChatRequest, type ChatParameters } from '../api/chatParameters';
import type { SessionInfo } from '../contract/routes';
import { updateUrl } from '../session/urlState';
import { toMessages } from './conversation';
import {
  appendTurns, changeAnswer, changePane, changeParameters, isBusy, lastAnswer, linkPane, panePhase, paneParameters, toPendingAnswer,
  type Desk, type Pane, type UserTurn,
} from './desk';
import { changeDesk, readDesk, setStorage } from './deskStore';
import { saveNow } from './deskSaver';
import { makeId } from './makeId';
import { addPane, closePane, toDesk, toModels } from './panes';
import { announceAnswer, startAnswer, stopAnswers } from './running';

type Mode = SessionInfo['mode'] | null;

export const setDraft = (draft: string): void => changeDesk((desk) => ({ ...desk, draft }));
export const setSystemPrompt = (systemPrompt: string): void => changeDesk((desk) => ({ ...desk, systemPrompt }));
export const setParameters = (paneId: string, patch: ChatParameters): void => changeDesk((desk) => changeParameters(desk, paneId, patch));
export const setLinked = (paneId: string, isLinked: boolean): void => changeDesk((desk) => linkPane(desk, paneId, isLinked));

/**
 * Brings the panes in line with the address. Answers of panes that leave go on in the background. An address
 * without models takes those of the panes that were there last, or one pane without a model.
 */
export function showModels(models: readonly string[]): void {
  changeDesk((desk) => toDesk(desk, models.length > 0 ? models : [...toModels(desk), ''].slice(0, Math.max(1, desk.panes.length)), makeId));
  const shown = toModels(readDesk());
  if (models.length === 0 && shown.some((model) => model !== '')) updateUrl({ models: shown }, { replace: true });
}

/** Fills in a model where a person has neither chosen one nor said anything yet. */
export function preselectModel(model: string): void {
  const { panes } = readDesk();
  const pane = panes[0];
  if (panes.length === 1 && pane?.model === '' && pane.turns.length === 0) setModel(pane.id, model);
}

export const applyExample = (systemPrompt: string, draft: string): void => changeDesk((desk) => ({ ...desk, systemPrompt, draft }));
export const dismissStorageProblem = (): void => setStorage({ problem: null });

/** Another model for a pane; its conversation stays. Going back would be no help, so the address is replaced. */
export function setModel(paneId: string, model: string): void {
  changeDesk((desk) => changePane(desk, paneId, (pane) => (pane.model === model ? pane : { ...pane, model })));
  updateUrl({ models: toModels(readDesk()) }, { replace: true });
}

export function openPane(model: string): void {
  changeDesk((desk) => addPane(desk, model, makeId()));
  updateUrl({ models: toModels(readDesk()) });
}

export function removePane(paneId: string): void {
  stopAnswers(paneId);
  changeDesk((desk) => closePane(desk, paneId));
  updateUrl({ models: toModels(readDesk()) });
}

export const stopPane = (paneId: string): void => stopAnswers(paneId);
export const stopAll = (): void => stopAnswers(null);

/** Forgets the conversations of every pane in view. */
export function clearConversations(): void {
  stopAnswers(null);
  changeDesk((desk) => ({ ...desk, panes: desk.panes.map((pane) => (pane.turns.length === 0 ? pane : { ...pane, turns: [] })) }));
}

/** Panes that a message would go to now: a model is chosen and nothing is on its way. */
export function readyPanes(desk: Desk): readonly Pane[] {
  return desk.panes.filter((pane) => pane.model.trim() !== '' && !isBusy(panePhase(pane)));
}

/** Why Run can't be used now; null when it can. */
export function runObstacle(desk: Desk): string | null {
  if (desk.panes.every((pane) => pane.model.trim() === '')) return 'Choose a model first.';
  if (desk.panes.some((pane) => isBusy(panePhase(pane)))) return 'An answer is on its way. Wait for it or stop it.';
  return desk.draft.trim() === '' ? 'Write a message first.' : null;
}

function ask(desk: Desk, pane: Pane, answerId: string, mode: Mode): Promise<void> {
  const request = toChatRequest({
    model: pane.model,
    messages: toMessages(desk.systemPrompt, pane.turns, answerId),
    parameters: paneParameters(desk, pane),
    mode,
  });
  return startAnswer(pane.id, answerId, request);
}

/** Sends the draft to every ready pane. The message is kept before it is sent; each pane answers on its own. */
export async function sendMessage(mode: Mode): Promise<void> {
  const before = readDesk();
  if (runObstacle(before) !== null) return;
  const sent = readyPanes(before).map((pane) => ({ paneId: pane.id, model: pane.model, answerId: makeId() }));
  changeDesk((desk) => {
    const asked = sent.reduce((next, { paneId, model, answerId }) => {
      const user: UserTurn = { id: makeId(), role: 'user', content: before.draft };
      return appendTurns(next, paneId, [user, toPendingAnswer(answerId, model, Date.now())]);
    }, desk);
    return { ...asked, draft: '' };
  });
  for (const { paneId, answerId } of sent) announceAnswer(paneId, answerId);
  await saveNow();
  const desk = readDesk();
  await Promise.all(
    sent.map(({ paneId, answerId }) => {
      // A pane that left the view while the message was being kept still has its turn; its answer must not wait for ever.
      const pane = [...desk.panes, ...desk.parked].find((each) => each.id === paneId);
      return pane?.turns.some((turn) => turn.id === answerId) === true ? ask(desk, pane, answerId, mode) : undefined;
    }),
  );
}

/** Asks again for the pane's last answer, with the pane's model and parameters of now. */
export async function retryPane(paneId: string, mode: Mode): Promise<void> {
  const pane = readDesk().panes.find((each) => each.id === paneId);
  const answer = pane && lastAnswer(pane);
  if (!pane || !answer || isBusy(answer.phase) || pane.model.trim() === '') return;
  const patch = { phase: 'sending', failure: null, waitUntil: null, sentAt: Date.now() } as const;
  changeDesk((desk) => changeAnswer(desk, paneId, answer.id, patch));
  await ask(readDesk(), pane, answer.id, mode);
}
