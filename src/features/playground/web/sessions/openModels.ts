// What happens when the address names other models: a model that is opened begins a session with its own settings, a pane
// that is added joins the current one, and Back returns to the session that was left.
import { makeId } from '#ui/storage/makeId.ts';
import { isHistoryMove, readUrl } from '#ui/address/urlState.ts';
import { showToast } from '#ui/kit/toast.ts';
import { showModels, toReplacedText } from '#features/playground/web/desk/actions.ts';
import { EMPTY_DESK, paneSettings, toPane, type Desk } from '#features/playground/web/desk/desk.ts';
import { changeDesk, readDesk, readSessionId, setStorage } from '#features/playground/web/desk/deskStore.ts';
import { loadExamples, peekExamples } from '#features/playground/web/desk/examplesSource.ts';
import { bringModelSettings, isUntouched } from '#features/playground/web/desk/modelSettings.ts';
import { writeModels, changeWithUndo } from '#features/playground/web/desk/undo.ts';
import { returnToPanes, toDesk, toModels } from '#features/playground/web/desk/panes.ts';
import { toDeskTitle, UNTITLED } from '#features/playground/web/desk/sessionTitle.ts';
import { reportProblem } from './lazyActions.ts';

const toKey = (models: readonly string[]): string => models.map(encodeURIComponent).join(',');

/** Whether the address still names these models. It may have changed while something loaded. */
const isAsked = (models: readonly string[]): boolean => toKey(readUrl().models) === toKey(models);

/** Sessions that this page left for another one, by the models of the address. */
const visited = new Map<string, string>();

/** Gives panes that were just opened the settings of their models, once those are known. */
async function bringSettings(paneIds: readonly string[]): Promise<void> {
  const session = readSessionId();
  const panes = readDesk().panes.filter(({ id }) => paneIds.includes(id));
  const opened = await Promise.all(
    panes.map(async (pane) => {
      const { id, model } = pane;
      const settings = paneSettings(readDesk(), pane);
      return { paneId: id, model, settings, examples: await loadExamples(model) };
    }),
  );
  if (readSessionId() !== session) return;
  changeDesk((desk) => bringModelSettings(desk, opened, peekExamples));
}

/** The same for all panes on show, which have just been made. */
export const bringAllSettings = (): Promise<void> => bringSettings(readDesk().panes.map(({ id }) => id));

/** Shows the models in this session, with fresh settings in new panes. */
function showHere(models: readonly string[], change: () => void = () => showModels(models)): void {
  const before = new Set(readDesk().panes);
  change();
  void bringSettings(
    readDesk()
      .panes.filter((pane) => !before.has(pane))
      .map(({ id }) => id),
  );
}

/** Goes back to the session that was left, and drops the new one if nobody has used it. */
async function undoOpening(before: string): Promise<string | null> {
  const { openSession, deleteSession } = await import('./sessions.ts');
  const left = readSessionId();
  const isUnused = isUntouched(readDesk(), peekExamples);
  const problem = await openSession(before);
  if (problem === null && isUnused) await deleteSession(left);
  return problem;
}

/** Replaces the panes within the session, where no other one can begin: an answer is on its way, or nothing is stored. */
function replaceHere(models: readonly string[]): void {
  const { panes, shared, draft, isAlone } = readDesk();
  // The messages of the closed panes are the session's, so it keeps the title that they gave it.
  const title = toDeskTitle(readDesk());
  const step = ({ isAlone: _alone, ...desk }: Desk): Desk => {
    const emptied = { ...desk, shared: {}, draft: '', title };
    const closed = panes.filter(({ turns }) => turns.length > 0);
    return { ...toDesk({ ...emptied, panes: [], parked: [] }, models, makeId), parked: [...closed, ...desk.parked] };
  };
  const undo = ({ isAlone: _alone, ...desk }: Desk): Desk => ({
    ...returnToPanes(desk, panes),
    shared,
    draft,
    ...(isAlone && { isAlone }),
  });
  showHere(models, () =>
    changeWithUndo(toReplacedText(panes.length), step, undo, { onUndone: writeModels, kind: 'panes-left' }),
  );
}

/** An untitled session has no name that a person would find. */
const toKeptText = (title: string): string =>
  title === UNTITLED ? 'The one before is kept in Sessions.' : `“${title}” is kept in Sessions.`;

/** Begins a session with these models and their settings. Undo goes back to the former session. */
async function openAside(models: readonly string[]): Promise<void> {
  const before = readSessionId();
  const title = toDeskTitle(readDesk());
  const former = toModels(readDesk());
  const { newSession } = await import('./sessions.ts');
  if (readSessionId() !== before || !isAsked(models)) return;
  const panes = models.map((model) => toPane(makeId(), model));
  if ((await newSession({ ...EMPTY_DESK, panes }, () => isAsked(models))) !== null) {
    if (isAsked(models)) replaceHere(models);
    return;
  }
  visited.set(toKey(former), before);
  visited.set(toKey(models), readSessionId());
  showToast(`Opened in a new session. ${toKeptText(title)}`, {
    action: { label: 'Undo', onSelect: () => void reportProblem(undoOpening(before)) },
    kind: 'panes-left',
  });
  return bringSettings(panes.map(({ id }) => id));
}

/** Returns to a session that this page left, by Back or Forward. */
async function returnTo(id: string, models: readonly string[]): Promise<void> {
  const { openSession } = await import('./sessions.ts');
  if (!isAsked(models)) return;
  if ((await openSession(id)) !== null && isAsked(models)) showModels(models);
}

/** After a reload the examples of the panes on show are not there yet. Opening a model doesn't wait longer for them. */
const MAX_WAIT_MS = 3_000;

/** Opens models in panes of their own. Panes that nobody has used give way; others stay in their session. */
async function openFresh(models: readonly string[]): Promise<void> {
  const before = readSessionId();
  if (!isUntouched(readDesk(), peekExamples)) {
    const late = new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS));
    await Promise.race([late, Promise.all(toModels(readDesk()).map(loadExamples))]);
    // The playground follows the newer address once this is over.
    if (readSessionId() !== before || !isAsked(models)) return undefined;
  }
  if (!isUntouched(readDesk(), peekExamples)) return openAside(models);
  // Nothing is lost: the settings came with the models that leave.
  changeDesk(({ isAlone: _alone, ...old }) => ({ ...old, panes: [], shared: {}, draft: '' }));
  return showHere(models);
}

let opening = '';

/** Brings the panes in line with the models of the address. */
export function openModels(models: readonly string[]): void {
  const desk = readDesk();
  const now = toModels(desk);
  const key = toKey(models);
  if (models.length === 0 || key === toKey(now)) return showModels(models);
  if (isHistoryMove()) {
    const id = visited.get(key);
    return id === undefined || id === readSessionId() ? showModels(models) : void returnTo(id, models);
  }
  const isAdded = now.length > 0 && now.every((model, index) => model === models[index]);
  if (isAdded) return showHere(models);
  if (opening === key) return undefined;
  opening = key;
  const isSync = isUntouched(desk, peekExamples);
  // Nothing can be typed into panes that are about to leave.
  if (!isSync) setStorage({ isLoaded: false });
  return void openFresh(models)
    .catch(() => (isAsked(models) ? replaceHere(models) : undefined))
    .finally(() => {
      opening = '';
      if (!isSync) setStorage({ isLoaded: true });
    });
}
