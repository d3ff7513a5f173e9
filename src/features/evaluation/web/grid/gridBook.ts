// The cells of one prompt grid: rows are prompts, columns are models with settings, a cell is one answer. Cells are one
// flat list that changes in place: 10,000 rows in 8 columns are 80,000 cells, too many to copy at each answer.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { CheckResult } from '#features/evaluation/shared/checkResult.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { toCallsJson, toContentKey, type WrittenCall } from '#features/evaluation/shared/toolCalls.ts';

/** Values of variables, by name. */
export type Values = Readonly<Record<string, string>>;

/**
 * What a column sends besides a row. `neutral`: temperature 0 and nothing else of the pane. `greedy`: the pane's settings
 * at temperature 0. `pane`: the pane's settings as they are.
 */
export type Sampling = 'neutral' | 'greedy' | 'pane';

/** A model with its settings, frozen when the grid was made. */
export interface GridColumn {
  readonly id: string;
  /** The model's id, made unique if needed. It never changes, and it is the name in exports. */
  readonly label: string;
  /** Name of the pane; absent: same as the label. */
  readonly name?: string;
  /** Absent: the grid is older than this field, and `request` samples as its pane did. */
  readonly sampling?: Sampling;
  /** The request without the prompt: `messages` holds at most the system prompt. */
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
  /** How columns sample, by their ids, where a person has chosen it. */
  readonly sampling?: Readonly<Record<string, Sampling>>;
  /** Where the rows come from, such as "Ticket triage · Snapshot 1" or the name of a file; absent: unknown. */
  readonly source?: string;
  /** The rows are a snapshot's validation rows: columns are neutral where a person has not chosen otherwise. */
  readonly isEvaluation?: true;
}

export interface CellAnswer {
  readonly text: string;
  readonly toolCalls: readonly WrittenCall[];
  readonly finish_reason: string | null;
  /**
   * null: the service did not report it; absent: the answer is older than this field. The same holds for `asked_at`.
   */
  readonly prompt_tokens?: number | null;
  readonly completion_tokens: number | null;
  /** When the request was sent, in Unix milliseconds. */
  readonly asked_at?: number;
  /** Milliseconds from request to end. */
  readonly ms: number;
}

interface WithEarlierPrompt {
  /** The prompt that this cell answers, if it is not the grid's current prompt. */
  readonly earlier?: string;
}

interface WithEarlierAnswer {
  /** The answer to an earlier prompt, which a new attempt has not replaced yet. */
  readonly kept?: EarlierCell;
}

type DoneCell = { readonly state: 'done'; readonly answer: CellAnswer } & WithEarlierPrompt;
/** `text`: the part of the answer that arrived. */
type FailedCell = { readonly state: 'failed'; readonly message: string; readonly text: string } & WithEarlierPrompt &
  WithEarlierAnswer;

export type SettledCell = DoneCell | FailedCell;
export type EarlierCell = SettledCell & { readonly earlier: string };
export type GridCell =
  | { readonly state: 'waiting' }
  | ({ readonly state: 'running' } & WithEarlierAnswer)
  | SettledCell;

/** How a cell counts. `earlier`: settled, but with an earlier prompt of the grid, so the next run requests it again. */
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

/** Cells with an answer or a failure, whatever the prompt was. */
export const countAnswers = ({ done, failed, earlier }: CellCounts): number => done + failed + earlier;

/** Cells that a run requests. */
export const countRemaining = ({ waiting, running, earlier }: CellCounts): number => waiting + running + earlier;

const WAITING: GridCell = { state: 'waiting' };

/** The cell as if nobody had requested it. An answer to an earlier prompt stays until a new answer replaces it. */
const toResetCell = (cell: GridCell): GridCell => toEarlier(cell) ?? WAITING;

export interface GridBook {
  readonly setup: GridSetup;
  /** Row by row: the cell of `column` in `row` (both from 0) is at `row * columns + column`. */
  readonly cells: readonly GridCell[];
  readonly counts: CellCounts;
  /** Earlier prompts with their number of answers. */
  readonly earlierPrompts: ReadonlyMap<string, number>;
  setCell(at: number, cell: GridCell): void;
  setCells(cells: ReadonlyMap<number, GridCell>): void;
  /** Empties cells of these kinds and returns what they held. */
  clear(kinds: ReadonlySet<CellKind>): ReadonlyMap<number, GridCell>;
  /** Resets failed cells, so that a run requests them again. */
  retryFailed(): void;
  /** Calls `listener` with the changed places after each change; returns a function that unsubscribes. */
  subscribe(listener: (places: readonly number[]) => void): () => void;
}

/** Opens a book with known cells. A running cell gets the state it had before the run. */
export function openGridBook(setup: GridSetup, known: ReadonlyMap<number, GridCell> = new Map()): GridBook {
  const size = setup.rows.length * setup.columns.length;
  const cells = Array.from({ length: size }, (_, at): GridCell => {
    const cell = known.get(at) ?? WAITING;
    return cell.state === 'running' ? toResetCell(cell) : cell;
  });
  const counts = { waiting: 0, running: 0, done: 0, failed: 0, earlier: 0 };
  const earlierPrompts = new Map<string, number>();
  const count = (cell: GridCell, sign: 1 | -1): void => {
    counts[toKind(cell)] += sign;
    const earlier = toEarlier(cell)?.earlier;
    if (earlier === undefined) return;
    const remaining = (earlierPrompts.get(earlier) ?? 0) + sign;
    if (remaining > 0) earlierPrompts.set(earlier, remaining);
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
      setCells(new Map([...findAll(new Set(['failed']))].map(([at, cell]) => [at, toResetCell(cell)])));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Whether an answer calls tools and has no text. Models often write an empty line before a call. */
export const hasOnlyCalls = ({ text, toolCalls }: CellAnswer): boolean => toolCalls.length > 0 && text.trim() === '';

/**
 * The text that checks and differences compare. An answer of tool calls without text becomes JSON, as rows expect it.
 */
export const toAnswerText = (answer: CellAnswer): string =>
  hasOnlyCalls(answer) ? toCallsJson(answer.toolCalls) : answer.text;

/** Text and tool calls of an answer. */
export function toWholeText({ text, toolCalls }: CellAnswer): string {
  return (toolCalls.length === 0 ? text : `${text.trim()}\n${toCallsJson(toolCalls)}`).trim();
}

/** Equal for answers with the same content; the order of calls and of their arguments doesn't matter. */
export const toAnswerKey = ({ text, toolCalls }: CellAnswer): string => toContentKey(text, toolCalls);

/** One line per tool call: "change_address {…}". */
export const toCallLines = ({ toolCalls }: CellAnswer): readonly string[] =>
  toolCalls.map((call) => `${call.name} ${call.arguments}`);

/** Verdict of the checks; null: not checked yet, no checks, or no answer. */
export type CellVerdict = CheckResult | null;
