// One prompt grid: rows are prompts, columns are ways of answering them, a cell is one answer. Cells are kept in one
// flat list that is changed in place: 10,000 rows in 8 columns are 80,000 cells, too many to copy at each answer.
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import type { CheckResult } from '#shared/evaluation/checks.ts';
import type { PromptRow } from '#shared/evaluation/promptRow.ts';
import { toCallsJson, toContentKey, type WrittenCall } from '#shared/evaluation/toolCalls.ts';

/** Values of variables by name. */
export type Values = Readonly<Record<string, string>>;

/** A way of answering: a model with its settings, frozen when the grid was made. */
export interface GridColumn {
  readonly id: string;
  /** The model's id, with what tells it from its like: stable, and the name in exports. */
  readonly label: string;
  /** What its pane is called; absent: as the label. */
  readonly name?: string;
  /** The request but for the prompt: `messages` holds the system prompt at most. */
  readonly request: ChatRequest;
  /** The session's values of variables, for rows that bring none; absent: there are none. */
  readonly values?: Values;
}

export interface GridSetup {
  readonly id: string;
  /** The prompt of rows that bring variables instead of messages. */
  readonly prompt: string;
  readonly rows: readonly PromptRow[];
  readonly columns: readonly GridColumn[];
}

export interface CellAnswer {
  readonly text: string;
  readonly toolCalls: readonly WrittenCall[];
  readonly finish_reason: string | null;
  /** null: the service did not say; absent: the answer is from before it was kept. So with the time. */
  readonly prompt_tokens?: number | null;
  readonly completion_tokens: number | null;
  /** Unix milliseconds at which the request went out. */
  readonly asked_at?: number;
  /** Milliseconds from request to end. */
  readonly ms: number;
}

interface Asked {
  /** The grid's prompt that was asked with, where it is not the prompt of now. */
  readonly earlier?: string;
}

interface Kept {
  /** The answer to an earlier prompt that an attempt has not replaced. */
  readonly kept?: EarlierCell;
}

type DoneCell = { readonly state: 'done'; readonly answer: CellAnswer } & Asked;
/** `text`: what had arrived; empty if nothing had. */
type FailedCell = { readonly state: 'failed'; readonly message: string; readonly text: string } & Asked & Kept;

export type SettledCell = DoneCell | FailedCell;
export type EarlierCell = SettledCell & { readonly earlier: string };
export type GridCell = { readonly state: 'waiting' } | ({ readonly state: 'running' } & Kept) | SettledCell;

/**
 * What a cell counts as; `earlier`: settled, but with a prompt that is not the grid's any more, so that it is to be
 * asked anew.
 */
export type CellKind = GridCell['state'] | 'earlier';

export type CellCounts = Readonly<Record<CellKind, number>>;

export const isSettled = (cell: GridCell): cell is SettledCell => cell.state === 'done' || cell.state === 'failed';
export const isEarlier = (cell: GridCell): cell is EarlierCell => isSettled(cell) && cell.earlier !== undefined;
export const toKind = (cell: GridCell): CellKind => (isEarlier(cell) ? 'earlier' : cell.state);

/** The answer to an earlier prompt that a cell holds; null: none. */
export function toEarlier(cell: GridCell): EarlierCell | null {
  if (isEarlier(cell)) return cell;
  return cell.state === 'running' || cell.state === 'failed' ? (cell.kept ?? null) : null;
}

/** Cells that hold something which was asked for, whatever the prompt was. */
export const countAnswers = ({ done, failed, earlier }: CellCounts): number => done + failed + earlier;

/** Cells that a run asks for. */
export const countLeft = ({ waiting, running, earlier }: CellCounts): number => waiting + running + earlier;

const WAITING: GridCell = { state: 'waiting' };

/** A cell as it is before it is asked for: an answer to an earlier prompt stays until there is a new one. */
const toUnasked = (cell: GridCell): GridCell => toEarlier(cell) ?? WAITING;

export interface GridBook {
  readonly setup: GridSetup;
  /** Row by row: the cell of `column` in `row` (both from 0) stands at `row * columns + column`. */
  readonly cells: readonly GridCell[];
  readonly counts: CellCounts;
  /** The earlier prompts that answers are kept to, with how many. */
  readonly earlierPrompts: ReadonlyMap<string, number>;
  setCell(at: number, cell: GridCell): void;
  setCells(cells: ReadonlyMap<number, GridCell>): void;
  /** Empties cells of these kinds; gives what they were. */
  clear(kinds: ReadonlySet<CellKind>): ReadonlyMap<number, GridCell>;
  /** Cells that failed are to be asked for again. */
  retryFailed(): void;
  /** Calls `listener` with the places that changed, after each change; returns the way to stop. */
  subscribe(listener: (places: readonly number[]) => void): () => void;
}

/**
 * Opens a book with the cells that are already known; a cell that was running when they were kept is as it was before.
 */
export function openGridBook(setup: GridSetup, known: ReadonlyMap<number, GridCell> = new Map()): GridBook {
  const size = setup.rows.length * setup.columns.length;
  const cells = Array.from({ length: size }, (_, at): GridCell => {
    const cell = known.get(at) ?? WAITING;
    return cell.state === 'running' ? toUnasked(cell) : cell;
  });
  const counts = { waiting: 0, running: 0, done: 0, failed: 0, earlier: 0 };
  const earlierPrompts = new Map<string, number>();
  const count = (cell: GridCell, sign: 1 | -1): void => {
    counts[toKind(cell)] += sign;
    const earlier = toEarlier(cell)?.earlier;
    if (earlier === undefined) return;
    const left = (earlierPrompts.get(earlier) ?? 0) + sign;
    if (left > 0) earlierPrompts.set(earlier, left);
    else earlierPrompts.delete(earlier);
  };
  for (const cell of cells) count(cell, 1);
  const listeners = new Set<(places: readonly number[]) => void>();

  function put(at: number, cell: GridCell): void {
    const old = cells[at];
    if (!old) return;
    count(old, -1);
    count(cell, 1);
    cells[at] = cell;
  }

  function announce(places: readonly number[]): void {
    for (const listener of listeners) listener(places);
  }

  function setCells(next: ReadonlyMap<number, GridCell>): void {
    for (const [at, cell] of next) put(at, cell);
    if (next.size > 0) announce([...next.keys()]);
  }

  const findAll = (kinds: ReadonlySet<CellKind>): ReadonlyMap<number, GridCell> =>
    new Map([...cells.entries()].filter(([, cell]) => kinds.has(toKind(cell))));

  return {
    setup,
    cells,
    counts,
    earlierPrompts,
    setCell(at, cell) {
      put(at, cell);
      announce([at]);
    },
    setCells,
    clear(kinds) {
      const before = findAll(kinds);
      setCells(new Map([...before.keys()].map((at) => [at, WAITING])));
      return before;
    },
    retryFailed() {
      setCells(new Map([...findAll(new Set(['failed']))].map(([at, cell]) => [at, toUnasked(cell)])));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** An answer that calls tools and says nothing: models often put an empty line before a call. */
export const isOnlyCalls = ({ text, toolCalls }: CellAnswer): boolean => toolCalls.length > 0 && text.trim() === '';

/**
 * The answer's text as checks and differences see it: a call of tools counts as JSON when there is no text, written as
 * rows expect it.
 */
export const toAnswerText = (answer: CellAnswer): string =>
  isOnlyCalls(answer) ? toCallsJson(answer.toolCalls) : answer.text;

/** All that an answer says: its text and the tools that it calls. */
export function toWholeText({ text, toolCalls }: CellAnswer): string {
  return (toolCalls.length === 0 ? text : `${text.trim()}\n${toCallsJson(toolCalls)}`).trim();
}

/** The same text for answers that say the same: the order of calls and of their arguments is none of it. */
export const toAnswerKey = ({ text, toolCalls }: CellAnswer): string => toContentKey(text, toolCalls);

/** "change_address {…}", a line for each tool that an answer calls. */
export const toCallLines = ({ toolCalls }: CellAnswer): readonly string[] =>
  toolCalls.map((call) => `${call.name} ${call.arguments}`);

/** What the checks say of an answer; null: not checked yet, no checks, or no answer. */
export type CellVerdict = CheckResult | null;
