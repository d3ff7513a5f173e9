// What a person can do with panes, settings and drafts, as plain functions. Actions on messages, examples and runs have
// files of their own (turnActions.ts, exampleActions.ts, asking/runActions.ts).
import { makeId } from '#ui/storage/makeId.ts';
import { readUrl } from '#ui/address/urlState.ts';
import { reportIfClosed, writeModels, changeWithUndo } from './undo.ts';
import {
  changePane,
  changeSettings,
  changeShared,
  findPane,
  linkPane,
  paneSettings,
  settleTurn,
  type Desk,
  type Pane,
} from './desk.ts';
import { changeDesk, readDesk, setStorage } from './deskStore.ts';
import { renewFields } from './fieldsEpoch.ts';
import {
  addPane,
  clearPanes,
  closePane,
  forkPane,
  movePane,
  reopenObstacle,
  reopenPane,
  restoreTurns,
  returnToPanes,
  toDesk,
  toModels,
} from './panes.ts';
import { stopAnswers } from './runningAnswers.ts';
import type { SettingName, Settings } from './settings.ts';
import { setValue } from './variables.ts';

export const setDraft = (draft: string): void => changeDesk((desk) => ({ ...desk, draft }));
/** Changes the pane's own settings where it has them, the shared ones elsewhere. */
export const setSettings = (paneId: string, patch: Settings): void =>
  changeDesk((desk) => changeSettings(desk, paneId, patch));
export const setShared = (patch: Settings): void => changeDesk((desk) => changeShared(desk, patch));

/** Links or unlinks settings. Linking drops the pane's own values; Undo brings them back. */
export function setLinked(paneId: string, names: readonly SettingName[], isLinked: boolean): void {
  const before = readDesk();
  const pane = findPane(before, paneId);
  if (!pane) return;
  const own = Object.fromEntries(Object.entries(pane.own).filter(([name]) => names.some((each) => each === name)));
  const linked = linkPane(before, paneId, names, isLinked);
  const after = findPane(linked, paneId);
  const read = (desk: Desk, of: Pane, name: SettingName): string =>
    JSON.stringify(paneSettings(desk, of)[name] ?? null);
  const isLost =
    isLinked && after !== null && names.some((name) => read(before, pane, name) !== read(linked, after, name));
  const undo = (desk: Desk): Desk => changePane(desk, paneId, (each) => ({ ...each, own: { ...each.own, ...own } }));
  changeWithUndo(
    isLost ? 'The pane has the settings of the linked panes again' : null,
    (desk) => linkPane(desk, paneId, names, isLinked),
    undo,
  );
}

/** Whether each message is sent without the ones before it. */
export const setAlone = (isAlone: boolean): void =>
  changeDesk(({ isAlone: _old, ...desk }) => (isAlone ? { ...desk, isAlone } : desk));
/** Sets the value of a variable; null removes it. */
export const setVariable = (name: string, value: string | null): void =>
  changeDesk((desk) => setValue(desk, name, value));
export const dismissStorageProblem = (): void => setStorage({ problem: null, isReloadNeeded: false });

/** "Replaced 2 panes; conversations saved". */
export const toReplacedText = (count: number): string =>
  count === 1 ? 'Replaced 1 pane; conversation saved' : `Replaced ${count} panes; conversations saved`;

/**
 * Brings the panes in line with the address. Panes that leave the view keep streaming in the background. An address
 * without models keeps the models of the current panes, or shows one pane without a model. A toast counts the
 * conversations that leave, because the person didn't close them.
 */
export function showModels(models: readonly string[]): void {
  const desk = readDesk();
  const { panes } = desk;
  const next = toDesk(
    desk,
    models.length > 0 ? models : [...toModels(desk), ''].slice(0, Math.max(1, panes.length)),
    makeId,
  );
  const remaining = new Set(next.panes);
  const count = panes.filter((pane) => pane.turns.length > 0 && !remaining.has(pane)).length;
  changeWithUndo(
    count === 0 ? null : toReplacedText(count),
    () => next,
    (now) => returnToPanes(now, panes),
    { onUndone: writeModels, kind: 'panes-left' },
  );
  const shown = toModels(readDesk());
  if (models.length === 0 && shown.some((model) => model !== '')) writeModels({ replace: true });
}

/** The only pane, if it has neither a model nor messages, and the address names no model. */
export function findUnchosen(): Pane | null {
  const [pane, ...others] = readDesk().panes;
  if (!pane || others.length > 0 || readUrl().models.some((named) => named !== '')) return null;
  return pane.model === '' && pane.turns.length === 0 ? pane : null;
}

/**
 * Fills in a model if the only pane has neither a model nor messages. Panes follow the address a moment later, so one
 * that names models is left alone.
 */
export function preselectModel(model: string): void {
  const pane = findUnchosen();
  if (pane) setModel(pane.id, model);
}

/** Its code loads when a model is chosen. If that fails, the settings stay as they are. */
const followModel = (paneId: string, former: string): void =>
  void import('./settingsOffer.ts').then(
    (offer) => offer.followModel(paneId, former),
    () => undefined,
  );

/**
 * Changes the model of a pane; its conversation stays. Back should not return to the old model, so it replaces. The
 * settings follow the model, or are offered (settingsOffer.ts).
 */
export function setModel(paneId: string, model: string): void {
  const former = findPane(readDesk(), paneId)?.model;
  if (former === undefined) return;
  changeDesk((desk) => changePane(desk, paneId, (pane) => (pane.model === model ? pane : { ...pane, model })));
  writeModels({ replace: true });
  if (former !== model) followModel(paneId, former);
}

/** Adds a pane with the settings and questions of the last one; for the same model also with its answers. */
export function openPane(model: string): void {
  changeDesk((desk) => addPane(desk, model, makeId));
  writeModels();
  const added = readDesk().panes.at(-1);
  if (added && model !== '') followModel(added.id, '');
}

/** Adds a pane to the right with the conversation up to a turn (null: all of it). */
export function fork(paneId: string, turnId: string | null): void {
  changeDesk((desk) => forkPane(desk, paneId, turnId, makeId));
  writeModels();
}

/** Moves a pane to another place, counted from 0. */
export function placePane(paneId: string, to: number): void {
  changeDesk((desk) => movePane(desk, paneId, to));
  writeModels({ replace: true });
}

const toStopped = (pane: Pane): Pane => ({ ...pane, turns: pane.turns.map((turn) => settleTurn(turn, 'stopped')) });

export function removePane(paneId: string): void {
  const { panes } = readDesk();
  const index = panes.findIndex((pane) => pane.id === paneId);
  const closed = panes[index];
  if (!closed || panes.length < 2) return;
  stopAnswers(paneId);
  const settled = toStopped(closed);
  const findObstacle = (desk: Desk): string | null => reopenObstacle(desk, paneId);
  changeWithUndo(
    closed.turns.length === 0 ? null : `Pane ${index + 1} closed`,
    (desk) => closePane(desk, paneId),
    (desk) => reopenPane(desk, settled, index),
    { onUndone: writeModels, findObstacle, kind: 'pane-closed' },
  );
  writeModels();
}

/** Reopens the pane that was closed last, after the others. */
export function reopenClosed(): void {
  changeDesk((desk) => (desk.parked[0] ? reopenPane(desk, desk.parked[0], desk.panes.length) : desk));
  writeModels();
}

export const stopPane = (paneId: string): void => stopAnswers(paneId);
export const stopAll = (): void => stopAnswers(null);

/** Empties the conversation of one pane, or of every pane in view (null). */
export function clearConversations(paneId: string | null = null): void {
  const isAffected = (pane: Pane): boolean => paneId === null || pane.id === paneId;
  for (const pane of readDesk().panes.filter(isAffected)) stopAnswers(pane.id);
  // Read after the stop, so that Undo also restores the text that had arrived.
  const shown = readDesk().panes.filter(isAffected);
  const cleared = shown.map(toStopped);
  const ids = cleared.map((pane) => pane.id);
  const onUndone = (): void => reportIfClosed(cleared.filter((pane) => pane.turns.length > 0).map((pane) => pane.id));
  changeWithUndo(
    ids.length === 1 ? 'Conversation cleared' : 'Conversations cleared',
    (desk) => clearPanes(desk, ids),
    (desk) => restoreTurns(desk, cleared),
    { onUndone },
  );
}

/** Resets settings to the service's defaults. Unlinked settings stay unlinked. */
export function resetSettings(paneId: string, names: readonly SettingName[], text = 'Parameters reset'): void {
  const desk = readDesk();
  const pane = findPane(desk, paneId);
  if (!pane) return;
  const settings = paneSettings(desk, pane);
  const pick = (from: Settings): Settings => Object.fromEntries(names.map((name) => [name, from[name]]));
  const isShared = (name: SettingName): boolean => !(name in pane.own);
  renewFields(
    desk.panes
      .filter(({ id, own }) => id === paneId || names.some((name) => isShared(name) && !(name in own)))
      .map(({ id }) => id),
  );
  changeWithUndo(
    text,
    (now) => changeSettings(now, paneId, pick({})),
    (now) => changeSettings(now, paneId, pick(settings)),
  );
}
