// Actions that send requests to models: send, retry, repeat, run from a message. Each takes the service's mode first.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { makeId } from '#ui/storage/makeId.ts';
import { showToast } from '#ui/kit/toast.ts';
import { requestAnswers, toPending, type AnswerRequest } from './requestAnswers.ts';
import {
  appendTurns,
  changePane,
  findPane,
  findPaneBlocker,
  hasContent,
  isBusy,
  panePhase,
  paneSettings,
  recordIdOf,
  shownAnswer,
  toAnswerTurn,
  toPendingAnswer,
  type Answer,
  type AnswerTurn,
  type Desk,
  type Pane,
  type Turn,
  type UserTurn,
} from '#features/playground/web/desk/desk.ts';
import { findTurnProblem, toSentTurns, turnsBefore } from '#features/playground/web/desk/conversation.ts';
import { changeDesk, readDesk } from '#features/playground/web/desk/deskStore.ts';
import { loadExchange, openExchangeSaver } from '#features/playground/web/storage/exchangeSaver.ts';
import { renewAfterRun } from '#features/playground/web/desk/fieldsEpoch.ts';
import {
  type TurnPlace,
  addVersions,
  editTurn,
  insertTurns,
  isTurnBusy,
  nextTakenOver,
  putTurn,
  settleTakenOver,
  toRunPlace,
  undoRun,
} from '#features/playground/web/desk/turns.ts';
import { findSeedProblem, paneObstacle, readyPanes, runObstacle } from '#features/playground/web/desk/paneRequest.ts';
import { toPromptKey } from '#features/playground/web/desk/promptKey.ts';
import { toRepeat, type RepeatWith } from './repeat.ts';
import {
  beginRetry,
  endRetry,
  isRetryable,
  samplesOf,
  unfinishedSamples,
} from '#features/playground/web/desk/sampleRetry.ts';
import { toSeeds } from '#features/playground/web/desk/samples.ts';
import { continueObstacle } from '#features/playground/web/desk/toolAnswers.ts';
import { forgetUnsaved } from '#features/playground/web/desk/turnActions.ts';
import { changeWithUndo } from '#features/playground/web/desk/undo.ts';
import type { TurnText } from '#features/playground/web/desk/unsaved.ts';
import { fillText } from '#features/playground/web/desk/variables.ts';

export type Mode = SessionInfo['mode'] | null;

interface RunOptions {
  /** Default: the desk's draft. */
  readonly draft?: string;
  /** Answers to request in each pane. */
  readonly samples?: number;
}

/** The pending versions of an answer: one, or a set of samples. */
function toSamples(desk: Desk, pane: Pane, count: number): readonly Answer[] {
  if (count === 1) return [toPending(desk, pane, makeId())];
  const batch = makeId();
  return toSeeds(paneSettings(desk, pane).seed ?? null, count).map((seed) =>
    toPendingAnswer(makeId(), pane.model, Date.now(), { batch, seed }),
  );
}

const toAnswerRequests = (
  paneId: string,
  turnId: string,
  versions: readonly Answer[],
  request?: ChatRequest,
): readonly AnswerRequest[] =>
  versions.map(({ id, seed, batch }) => ({
    paneId,
    turnId,
    answerId: id,
    seed: batch === null ? null : seed,
    ...(request && { request }),
  }));

/**
 * Requests answers to the questions that the pane took over, one after the other, and `samples` answers to the last
 * one. An answer that stops, fails or calls a tool ends this; the later questions wait for the next Run.
 */
async function catchUp(paneId: string, mode: Mode, samples: number): Promise<void> {
  for (;;) {
    const desk = readDesk();
    const pane = findPane(desk, paneId);
    const next = pane && nextTakenOver(pane);
    if (!pane || !next) return;
    const { question, place } = next;
    const asked = toSentTurns([...turnsBefore(pane.turns, question.id), question], desk.isAlone === true);
    if (findTurnProblem(asked) !== null) return;
    const versions = toSamples(desk, pane, next.isLast ? samples : 1);
    const turnId = place?.id ?? makeId();
    const addPending = (now: Pane): Pane =>
      place
        ? addVersions(now, turnId, versions)
        : insertTurns(now, question.id, [{ ...toAnswerTurn(turnId, versions), shown: 0 }]);
    changeDesk((now) => changePane(now, paneId, addPending));
    await requestAnswers(toAnswerRequests(paneId, turnId, versions), mode);
    const settled = findPane(readDesk(), paneId)?.turns.find(({ id }) => id === turnId);
    if (settled?.role !== 'assistant' || shownAnswer(settled).phase !== 'done') return;
    changeDesk((now) => changePane(now, paneId, (each) => settleTakenOver(each, question.id)));
  }
}

/** Sends the draft to these panes; without a draft, the messages that wait for an answer. */
async function run(
  panes: readonly Pane[],
  mode: Mode,
  { draft = readDesk().draft, samples = 1 }: RunOptions = {},
): Promise<void> {
  if (panes.length === 0) return;
  renewAfterRun();
  const filled = fillText(readDesk(), draft);
  const requests: AnswerRequest[] = [];
  /** Panes that first answer questions from another conversation. */
  const catchingUp: string[] = [];
  changeDesk((desk) => {
    const next = panes.reduce((before, pane) => {
      const user: readonly UserTurn[] = draft.trim() === '' ? [] : [{ id: makeId(), role: 'user', content: filled }];
      if (nextTakenOver(pane) !== null) {
        catchingUp.push(pane.id);
        return appendTurns(
          before,
          pane.id,
          user.map((turn) => ({ ...turn, isTakenOver: true })),
        );
      }
      const turnId = makeId();
      const versions = toSamples(before, pane, samples);
      requests.push(...toAnswerRequests(pane.id, turnId, versions));
      return appendTurns(before, pane.id, [...user, { ...toAnswerTurn(turnId, versions), shown: 0 }]);
    }, desk);
    // A draft with variables stays, for the next values.
    return filled === draft && draft === desk.draft ? { ...next, draft: '' } : next;
  });
  await Promise.all([requestAnswers(requests, mode), ...catchingUp.map((paneId) => catchUp(paneId, mode, samples))]);
}

/** Sends the draft to every ready pane, `samples` times to each. The message is stored before it is sent. */
export async function sendMessage(mode: Mode, samples = 1): Promise<void> {
  const desk = readDesk();
  if (runObstacle(desk) === null && findSeedProblem(desk, samples) === null)
    await run(readyPanes(desk), mode, { samples });
}

/** Sends the draft to one pane only, even while others are busy. */
export async function runPane(mode: Mode, paneId: string): Promise<void> {
  const desk = readDesk();
  const pane = desk.panes.find((each) => each.id === paneId);
  if (pane && paneObstacle(desk, pane) === null) await run([pane], mode);
}

/** Requests the answer to the message that waits for one; the draft stays. */
export async function runWaitingMessage(mode: Mode, paneId: string): Promise<void> {
  const desk = { ...readDesk(), draft: '' };
  const pane = desk.panes.find((each) => each.id === paneId);
  if (pane && paneObstacle(desk, pane) === null) await run([pane], mode, { draft: '' });
}

/** Sends the tool results in these panes to their models; the draft stays. */
export async function sendResults(mode: Mode, paneIds: readonly string[]): Promise<void> {
  const desk = readDesk();
  await run(
    desk.panes.filter((pane) => paneIds.includes(pane.id) && continueObstacle(desk, pane) === null),
    mode,
    { draft: '' },
  );
}

/** Requests another version of an answer, with the pane's current model and settings; later turns stay. */
export async function regenerate(mode: Mode, paneId: string, turnId: string): Promise<void> {
  const pane = readDesk().panes.find((each) => each.id === paneId);
  const turn = pane?.turns.find((each) => each.id === turnId);
  if (!pane || turn?.role !== 'assistant' || findPaneBlocker(pane) !== null) return;
  renewAfterRun();
  const answerId = makeId();
  changeDesk((desk) =>
    changePane(desk, paneId, (each) => addVersions(each, turnId, [toPending(desk, each, answerId)])),
  );
  await requestAnswers([{ paneId, turnId, answerId }], mode);
}

/**
 * Repeats the recorded request of an answer; the new version is compared with it. Resolves to `no-seed`, and sends
 * nothing, if the request has no seed and `how` requires one.
 */
export async function repeatAnswer(
  mode: Mode,
  paneId: string,
  turnId: string,
  answerId: string,
  how: RepeatWith,
): Promise<'no-seed' | null> {
  const turn = findPane(readDesk(), paneId)?.turns.find((each) => each.id === turnId);
  const answer = turn?.role === 'assistant' ? turn.versions.find((each) => each.id === answerId) : undefined;
  if (!answer) return null;
  const repeats = recordIdOf(answer);
  const repeat = toRepeat(await loadExchange(repeats), how);
  if (!repeat.ok) {
    if (repeat.reason === 'no-seed') return 'no-seed';
    showToast('This request has no record, so it can’t be repeated. Regenerate asks with the current settings.');
    return null;
  }
  const pane = findPane(readDesk(), paneId);
  if (!pane || isBusy(panePhase(pane))) return null;
  const { request, seed } = repeat;
  const [first] = request.messages;
  const prompt = first?.role === 'system' && typeof first.content === 'string' ? first.content : '';
  const pending = toPendingAnswer(makeId(), request.model, Date.now(), {
    seed,
    repeats,
    promptKey: toPromptKey(prompt),
    schemaKey: answer.schemaKey,
  });
  changeDesk((desk) => changePane(desk, paneId, (each) => addVersions(each, turnId, [pending])));
  await requestAnswers([{ paneId, turnId, answerId: pending.id, request }], mode);
  return null;
}

function findAnswerTurn(paneId: string, turnId: string): AnswerTurn | null {
  const turn = findPane(readDesk(), paneId)?.turns.find((each) => each.id === turnId);
  return turn?.role === 'assistant' ? turn : null;
}

/** The request of a sample set, apart from the seed. Any record of the set holds it. */
async function findSetRequest(samples: readonly Answer[]): Promise<ChatRequest | null> {
  for (const sample of samples) {
    const repeat = toRepeat(await loadExchange(recordIdOf(sample)), 'anyway');
    if (repeat.ok) return repeat.request;
  }
  return null;
}

/**
 * Retries the samples of a set that failed, were interrupted or were stopped. Each retry uses the request of the set
 * with its own seed, takes the place of the old sample, and gets its own record.
 */
export async function retrySamples(mode: Mode, paneId: string, turnId: string): Promise<void> {
  const found = findAnswerTurn(paneId, turnId);
  const set = found ? samplesOf(found) : [];
  const request = await findSetRequest(set);
  const pane = findPane(readDesk(), paneId);
  const turn = findAnswerTurn(paneId, turnId);
  const unfinished = turn ? unfinishedSamples(turn) : [];
  if (!pane || unfinished.length === 0 || isBusy(panePhase(pane))) return;
  // A missing record matters only if something was sent; else there is no earlier request to match.
  if (request === null && set.some(({ phase, message }) => phase === 'done' || hasContent(message))) {
    return showToast(
      'The request of these samples has no record, so none can be added. Regenerate asks with the current settings.',
    );
  }
  const { promptKey, schemaKey } = set.find((sample) => sample.promptKey !== undefined) ?? {};
  const retried = unfinished.map((old) => ({
    old,
    next: toPendingAnswer(makeId(), request?.model ?? pane.model, Date.now(), {
      batch: old.batch,
      seed: old.seed,
      promptKey,
      schemaKey,
    }),
  }));
  // Prunes records now, before the old samples leave the conversation: they may return, and need theirs.
  openExchangeSaver();
  changeDesk((desk) => changePane(desk, paneId, (each) => beginRetry(each, turnId, retried)));
  await requestAnswers(
    toAnswerRequests(
      paneId,
      turnId,
      retried.map(({ next }) => next),
      request ?? undefined,
    ),
    mode,
  );
  changeDesk((desk) => changePane(desk, paneId, (each) => endRetry(each, turnId, retried)));
}

/** Retries the pane's last answer, or its unfinished samples. */
export async function retryPane(mode: Mode, paneId: string): Promise<void> {
  const last = readDesk()
    .panes.find((each) => each.id === paneId)
    ?.turns.at(-1);
  if (last?.role !== 'assistant') return;
  if (unfinishedSamples(last).length > 0) await retrySamples(mode, paneId, last.id);
  else await regenerate(mode, paneId, last.id);
}

/** Retries every pane whose last answer failed or was interrupted. */
export async function retryFailed(mode: Mode): Promise<void> {
  const { panes } = readDesk();
  await Promise.all(panes.filter(isRetryable).map((pane) => retryPane(mode, pane.id)));
}

interface EditedRun {
  readonly step: (desk: Desk) => Desk;
  readonly undo: (desk: Desk) => Desk;
  /** How many later messages the run removes. */
  readonly later: number;
  /** null: the message is saved, and nothing can be asked now. */
  readonly request: AnswerRequest | null;
}

function toEditedRun({ paneId, turnId }: TurnPlace, text: TurnText): EditedRun | null {
  const before = findPane(readDesk(), paneId);
  const edited = before?.turns.find((turn) => turn.id === turnId);
  if (!before || !edited || isTurnBusy(edited)) return null;
  const saved = editTurn(before, turnId, text, makeId(), Date.now());
  const place = findPaneBlocker(before) === null ? toRunPlace(saved, turnId, makeId()) : null;
  if (!place) {
    const step = (desk: Desk): Desk => changePane(desk, paneId, () => saved);
    const undo = (desk: Desk): Desk => changePane(desk, paneId, (pane) => putTurn(pane, edited));
    return { step, undo, later: 0, request: null };
  }
  const answerId = makeId();
  const turn = place.answer.id;
  const old: Turn | undefined = before.turns.find(({ id }) => id === turn);
  return {
    step: (desk) => changePane(desk, paneId, () => addVersions(place.pane, turn, [toPending(desk, before, answerId)])),
    undo: (desk) =>
      changePane(desk, paneId, (pane) => undoRun(pane, { edited, old, answerId: turn, rest: place.rest })),
    later: place.rest.length,
    request: { paneId, turnId: turn, answerId },
  };
}

const countPanes = (count: number): string => (count === 1 ? '1 pane' : `${count} panes`);

/** Which panes did not follow a change in all of them, and why; null if all did. */
function toLeftOutText(runs: readonly (EditedRun | null)[]): string | null {
  const unchanged = runs.filter((run) => run === null).length;
  const unasked = runs.filter((run) => run?.request === null).length;
  const sentences = [
    unasked > 0 &&
      `${countPanes(unasked)} could not run it: an answer is being generated there, or no model is ` +
        `chosen. The text is saved.`,
    unchanged > 0 && `Not changed in ${countPanes(unchanged)}: the message was deleted or is still being written.`,
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? null : sentences.join(' ');
}

/**
 * Saves a message and, if possible, requests its answer. The run removes the later turns; Undo restores them. While the
 * turn is busy the text stays in its editor. `others`: the same message in other panes, which gets the same text; a toast counts the panes
 * that could not follow.
 */
export async function saveAndRun(
  mode: Mode,
  paneId: string,
  turnId: string,
  text: TurnText,
  others: readonly TurnPlace[] = [],
): Promise<void> {
  const first = toEditedRun({ paneId, turnId }, text);
  if (!first) return;
  const followers = others.map((place) => toEditedRun(place, text));
  const runs = [first, ...followers.flatMap((run) => run ?? [])];
  forgetUnsaved({ kind: 'edit', turnId });
  const requests = runs.flatMap(({ request }) => request ?? []);
  if (requests.length > 0) renewAfterRun();
  const later = runs.reduce((sum, run) => sum + run.later, 0);
  changeWithUndo(
    later === 0 ? null : `${later} later ${later === 1 ? 'message' : 'messages'} replaced`,
    (desk) => runs.reduce((next, { step }) => step(next), desk),
    (desk) => runs.reduce((next, { undo }) => undo(next), desk),
  );
  const leftOut = toLeftOutText(followers);
  if (leftOut !== null) showToast(leftOut);
  await requestAnswers(requests, mode);
}
