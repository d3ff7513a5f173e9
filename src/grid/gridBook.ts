// One prompt grid: rows are prompts, columns are ways of answering them, a cell is one answer. Cells are kept in one
// flat list that is changed in place: 10,000 rows in 8 columns are 80,000 cells, too many to copy at each answer.
// It must not know requests, storage or React.
import type { ChatRequest } from '../contract/chatRequest';
import type { CheckResult } from '../evaluation/checks';
import type { PromptRow } from '../evaluation/promptRows';

/** A way of answering: a model with its settings, frozen when the grid was made. */
export interface GridColumn {
  readonly id: string;
  /** The model's id, with what tells it from its like: stable, and the name in exports. */
  readonly label: string;
  /** What its pane is called; absent: as the label. */
  readonly name?: string;
  /** The request but for the prompt: `messages` holds the system prompt at most. */
  readonly request: ChatRequest;
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
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish_reason: string | null;
  /** null: the service did not say. */
  readonly completion_tokens: number | null;
  /** Milliseconds from request to end. */
  readonly ms: number;
}

export type GridCell =
  | { readonly state: 'waiting' }
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly answer: CellAnswer }
  /** `text`: what had arrived; empty if nothing had. */
  | { readonly state: 'failed'; readonly message: string; readonly text: string };

export type CellState = GridCell['state'];

export type CellCounts = Readonly<Record<CellState, number>>;

const WAITING: GridCell = { state: 'waiting' };

export interface GridBook {
  readonly setup: GridSetup;
  /** Row by row: the cell of `column` in `row` (both from 0) stands at `row * columns + column`. */
  readonly cells: readonly GridCell[];
  readonly counts: CellCounts;
  setCell(at: number, cell: GridCell): void;
  setCells(cells: ReadonlyMap<number, GridCell>): void;
  /** Puts cells of these states back to waiting; gives what they were. */
  reset(states: ReadonlySet<CellState>): ReadonlyMap<number, GridCell>;
  /** Calls `listener` with the places that changed, after each change; returns the way to stop. */
  subscribe(listener: (places: readonly number[]) => void): () => void;
}

/** Opens a book with the cells that are already known; a cell that was running when they were kept waits again. */
export function openGridBook(setup: GridSetup, known: ReadonlyMap<number, GridCell> = new Map()): GridBook {
  const size = setup.rows.length * setup.columns.length;
  const cells = Array.from({ length: size }, (_, at): GridCell => {
    const cell = known.get(at) ?? WAITING;
    return cell.state === 'running' ? WAITING : cell;
  });
  const counts = { waiting: 0, running: 0, done: 0, failed: 0 };
  for (const cell of cells) counts[cell.state] += 1;
  const listeners = new Set<(places: readonly number[]) => void>();

  function put(at: number, cell: GridCell): void {
    const old = cells[at];
    if (!old) return;
    counts[old.state] -= 1;
    counts[cell.state] += 1;
    cells[at] = cell;
  }

  function announce(places: readonly number[]): void {
    for (const listener of listeners) listener(places);
  }

  function setCells(next: ReadonlyMap<number, GridCell>): void {
    for (const [at, cell] of next) put(at, cell);
    if (next.size > 0) announce([...next.keys()]);
  }

  return {
    setup,
    cells,
    counts,
    setCell(at, cell) {
      put(at, cell);
      announce([at]);
    },
    setCells,
    reset(states) {
      const before = new Map<number, GridCell>();
      for (const [at, cell] of cells.entries()) if (states.has(cell.state)) before.set(at, cell);
      setCells(new Map([...before.keys()].map((at) => [at, WAITING])));
      return before;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The answer's text as checks and differences see it: a call of tools counts as JSON when there is no text. */
export function toAnswerText(answer: CellAnswer): string {
  return answer.text === '' && answer.toolCalls.length > 0 ? JSON.stringify(answer.toolCalls) : answer.text;
}

/** What the checks say of an answer; null: not checked yet, no checks, or no answer. */
export type CellVerdict = CheckResult | null;
