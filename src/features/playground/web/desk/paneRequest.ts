// Builds the request that a pane sends, for Run, exported code and everything else that shows it. Pure.
import { toChatRequest } from '#ui/client/chatParameters.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { SEED_LIMITS } from '#core/contract/limits.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { findTurnProblem, toMessages, toSentTurns, turnsBefore } from './conversation.ts';
import {
  BUSY_REASON,
  findPaneBlocker,
  isBusy,
  NO_MODEL_REASON,
  panePhase,
  paneSettings,
  type Desk,
  type Pane,
  type Turn,
  type UserTurn,
} from './desk.ts';
import { toParameters } from './requestSettings.ts';
import { fillText, missingVariables, setValue, toVariableProblem } from './variables.ts';

type PaneRequest =
  | { readonly ok: true; readonly request: ChatRequest }
  | { readonly ok: false; readonly problem: string };

interface PaneRequestOptions {
  /** Build the request from the turns before this one. Default: the whole conversation. */
  readonly untilTurn?: string | null;
  /** A message to append, such as the draft; blank: none. */
  readonly draft?: string;
  readonly mode?: SessionInfo['mode'] | null;
}

const toDraftTurn = (content: string): UserTurn => ({ id: '', role: 'user', content });

function toTurns(desk: Desk, pane: Pane, { untilTurn = null, draft = '' }: PaneRequestOptions): readonly Turn[] {
  const turns = turnsBefore(pane.turns, untilTurn);
  const sent = draft.trim() === '' ? turns : [...turns, toDraftTurn(fillText(desk, draft))];
  return toSentTurns(sent, desk.isAlone === true);
}

/** Why the conversation, with the draft if there is one, can't be sent; null when it can. */
const findSendProblem = (desk: Desk, pane: Pane): string | null =>
  findTurnProblem(toTurns(desk, pane, { draft: desk.draft }));

/** The request, or one sentence that says why there is none. */
export function toPaneRequest(desk: Desk, pane: Pane, options: PaneRequestOptions = {}): PaneRequest {
  if (pane.model.trim() === '') return { ok: false, problem: NO_MODEL_REASON };
  const settings = paneSettings(desk, pane);
  const parameters = toParameters(settings);
  if (!parameters.ok) return { ok: false, problem: parameters.reason };
  const turns = toTurns(desk, pane, options);
  // Only texts that are filled now can miss variables: earlier messages already hold filled text.
  const problem =
    findTurnProblem(turns) ?? toVariableProblem(missingVariables({ ...desk, draft: options.draft ?? '' }, [pane]));
  if (problem !== null) return { ok: false, problem };
  const messages = toMessages(fillText(desk, settings.systemPrompt ?? ''), turns);
  if (messages.length === 0) return { ok: false, problem: 'Write a message first.' };
  return {
    ok: true,
    request: toChatRequest({ model: pane.model, messages, parameters: parameters.value, mode: options.mode ?? null }),
  };
}

/** A message waits for its answer, so Run has something to send without a draft. */
export function hasOpenMessage(pane: Pane): boolean {
  const last = pane.turns.at(-1);
  return last !== undefined && last.role !== 'assistant';
}

/** Why this pane can't run now, alone or with the others; null when it can. */
export function paneObstacle(desk: Desk, pane: Pane): string | null {
  const blocker = findPaneBlocker(pane);
  if (blocker !== null) return blocker;
  const parameters = toParameters(paneSettings(desk, pane));
  if (!parameters.ok) return parameters.reason;
  const problem = findSendProblem(desk, pane);
  if (problem !== null) return problem;
  if (desk.draft.trim() === '' && !hasOpenMessage(pane)) return 'Write a message first.';
  return toVariableProblem(missingVariables(desk, [pane]));
}

/** Panes that Run sends to: they have a model, no answer on its way, and something to send. */
export function readyPanes(desk: Desk): readonly Pane[] {
  return desk.panes.filter((pane) => paneObstacle(desk, pane) === null);
}

/** Why Run can't be used now; null when it can. Panes without a model are skipped. */
export function runObstacle(desk: Desk): string | null {
  const chosen = desk.panes.filter((pane) => pane.model.trim() !== '');
  if (chosen.length === 0) return NO_MODEL_REASON;
  if (desk.panes.some((pane) => isBusy(panePhase(pane)))) return BUSY_REASON;
  const isDraftBlank = desk.draft.trim() === '';
  const waiting = isDraftBlank ? chosen.filter(hasOpenMessage) : chosen;
  // With nothing to send, report what blocks a conversation: it says more than "Write a message first".
  const checked = waiting.length > 0 ? waiting : chosen.filter((pane) => findSendProblem(desk, pane) !== null);
  if (checked.length === 0) return 'Write a message first.';
  for (const pane of checked) {
    const obstacle = paneObstacle(desk, pane);
    if (obstacle !== null)
      return desk.panes.length > 1 ? `Pane ${desk.panes.indexOf(pane) + 1}: ${obstacle}` : obstacle;
  }
  return null;
}

/**
 * Why Run can't ask for that many samples. Their seeds count up from the seed that is set, and seeds have a maximum.
 */
export function findSeedProblem(desk: Desk, samples: number): string | null {
  const last = SEED_LIMITS.max - samples + 1;
  const seeds = desk.panes.map((pane) => (pane.model.trim() === '' ? 0 : (paneSettings(desk, pane).seed ?? 0)));
  const seed = Math.max(...seeds);
  if (seed <= last) return null;
  const at = seeds.indexOf(seed);
  const place = 'seed' in (desk.panes[at]?.own ?? {}) ? `Pane ${at + 1}: ` : '';
  return (
    `${place}Seeds count up with the samples, to ${SEED_LIMITS.max} at most. For ${samples} of them set ${last} or ` +
    'less.'
  );
}

/** The first variable without a value, if it is the only thing that blocks Run; else null. */
export function findMissingForRun(desk: Desk): string | null {
  const missing = missingVariables(
    desk,
    desk.panes.filter((pane) => pane.model.trim() !== ''),
  );
  const [name] = missing;
  if (name === undefined) return null;
  return runObstacle(missing.reduce((filled, each) => setValue(filled, each, ''), desk)) === null ? name : null;
}

// The request that a pane would send now: with the draft, or for the message that waits. If nothing waits, the request
// of the last answer. Pure.

type NextRequest =
  | (Extract<PaneRequest, { ok: true }> & { /** Nothing waits to be sent. */ readonly isLast: boolean })
  | Extract<PaneRequest, { ok: false }>;

export function toNextRequest(desk: Desk, pane: Pane, mode: PaneRequestOptions['mode'] = null): NextRequest {
  const last = pane.turns.at(-1);
  const isLast = desk.draft.trim() === '' && last !== undefined && !hasOpenMessage(pane);
  if (!isLast && isBusy(panePhase(pane))) return { ok: false, problem: BUSY_REASON };
  const made = toPaneRequest(desk, pane, isLast ? { untilTurn: last.id, mode } : { draft: desk.draft, mode });
  return made.ok ? { ...made, isLast } : made;
}
