import { expect, it } from 'vitest';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { openGridBook, type CellAnswer, type GridBook } from '#features/evaluation/web/grid/gridBook.ts';
import { startGridRun, type AskResult, type GridRunDeps } from './gridRun.ts';

const ANSWER: CellAnswer = { text: 'yes', toolCalls: [], finish_reason: 'stop', completion_tokens: 1, ms: 10 };
const OK: AskResult = { kind: 'answered', answer: ANSWER };

function toBook(rows: number, columns = 2): GridBook {
  const row = (number: number): PromptRow => ({
    number,
    messages: null,
    variables: new Map([['n', String(number)]]),
    expected: null,
  });
  return openGridBook({
    id: 'g',
    prompt: 'Say {{n}}',
    rows: Array.from({ length: rows }, (_, at) => row(at + 1)),
    columns: Array.from({ length: columns }, (_, at) => ({
      id: `c${at}`,
      label: `c${at}`,
      request: { model: `m${at}`, messages: [] },
    })),
  });
}

/** A service that answers when the test says so. */
function openDesk() {
  const asked: {
    readonly request: ChatRequest;
    readonly signal: AbortSignal;
    readonly answer: (result: AskResult) => void;
  }[] = [];
  let most = 0;
  let open = 0;
  const ask: GridRunDeps['ask'] = (request, signal) =>
    new Promise((resolve) => {
      open += 1;
      most = Math.max(most, open);
      const answer = (result: AskResult): void => ((open -= 1), resolve(result));
      signal.addEventListener('abort', () => answer(OK), { once: true });
      asked.push({ request, signal, answer });
    });
  return { asked, ask, most: () => most };
}

const busy = (waitMs: number | null): AskResult => ({ kind: 'postponed', cause: 'busy', message: 'busy', waitMs });
const away: AskResult = { kind: 'postponed', cause: 'away', message: 'no answer', waitMs: null };

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};
const deps = (ask: GridRunDeps['ask'], waited: number[] = []): GridRunDeps => ({
  ask,
  places: 3,
  wait: async (ms) => void waited.push(ms),
});
const nameOf = ({ model, messages }: ChatRequest): string => `${model} ${messages[0]?.content ?? ''}`;

it('goes row by row, never more at once than there are places', async () => {
  const book = toBook(4);
  const desk = openDesk();
  const run = startGridRun(book, deps(desk.ask));
  for (let at = 0; at < 8; at += 1) {
    await settle();
    desk.asked[at]?.answer(OK);
  }
  await run.finished;
  expect(desk.asked.map(({ request }) => nameOf(request)).slice(0, 4)).toEqual([
    'm0 Say 1',
    'm1 Say 1',
    'm0 Say 2',
    'm1 Say 2',
  ]);
  expect([book.counts.done, desk.most()]).toEqual([8, 3]);
});

it('asks only for cells that wait, so that a run goes on where the last one ended', async () => {
  const book = toBook(3);
  book.setCell(0, { state: 'done', answer: ANSWER });
  book.setCell(1, { state: 'failed', message: 'x', text: '' });
  const asked: string[] = [];
  await startGridRun(
    book,
    deps(async (request) => (asked.push(nameOf(request)), OK)),
  ).finished;
  expect(asked).toEqual(['m0 Say 2', 'm1 Say 2', 'm0 Say 3', 'm1 Say 3']);
  expect(book.cells[1]).toEqual({ state: 'failed', message: 'x', text: '' });
});

it('asks for none but the cells that it is to ask for', async () => {
  const book = toBook(3);
  const asked: string[] = [];
  await startGridRun(
    book,
    deps(async (request) => (asked.push(nameOf(request)), OK)),
    [1, 4],
  ).finished;
  expect([asked, book.counts.done, book.counts.waiting]).toEqual([['m1 Say 1', 'm0 Say 3'], 2, 4]);
});

it('pauses after the cells that run', async () => {
  const book = toBook(4);
  const desk = openDesk();
  const run = startGridRun(book, deps(desk.ask));
  await settle();
  run.pause();
  for (const { answer } of desk.asked) answer(OK);
  await run.finished;
  expect({ ...book.counts }).toEqual({ waiting: 5, running: 0, done: 3, failed: 0, earlier: 0 });
});

it('stops at once; what ran waits again, whatever still comes', async () => {
  const book = toBook(4);
  const desk = openDesk();
  const run = startGridRun(book, deps(desk.ask));
  await settle();
  run.stop();
  await run.finished;
  expect({ ...book.counts }).toEqual({ waiting: 8, running: 0, done: 0, failed: 0, earlier: 0 });
  expect(desk.asked).toHaveLength(3);
});

it('keeps a failure to its cell', async () => {
  const book = toBook(2);
  await startGridRun(
    book,
    deps(async ({ model }) => (model === 'm0' ? { kind: 'failed', message: 'no such model', text: '' } : OK)),
  ).finished;
  expect(book.cells.map((cell) => cell.state)).toEqual(['failed', 'done', 'failed', 'done']);
});

it('waits when it is asked to, and then asks again for the same cell', async () => {
  const book = toBook(1, 1);
  const waited: number[] = [];
  let tries = 0;
  await startGridRun(book, { ...deps(async () => ((tries += 1) === 1 ? busy(700) : OK), waited), random: () => 0 })
    .finished;
  expect([tries, waited, book.counts.done]).toEqual([2, [700], 1]);
});

it('waits as long as it is asked to, however long that is, and only that long', async () => {
  const book = toBook(1, 1);
  const waited: number[] = [];
  const results: readonly AskResult[] = [busy(3_600_000), busy(120_000)];
  let tries = 0;
  await startGridRun(book, { ...deps(async () => results[tries++] ?? OK, waited), random: () => 0.5 }).finished;
  expect([waited, book.counts.done]).toEqual([[3_780_000, 126_000], 1]);
});

it('doubles its waits when nobody says how long, up to a minute, and begins anew after an answer', async () => {
  const book = toBook(2, 1);
  const waited: number[] = [];
  let asked = 0;
  await startGridRun(book, {
    ...deps(async () => ([8, 10].includes((asked += 1)) ? OK : busy(null)), waited),
    places: 1,
    random: () => 0.5,
  }).finished;
  expect([waited, book.counts.done]).toEqual([[2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 2000], 2]);
});

it('takes requests that are turned away together for one', async () => {
  const book = toBook(6, 1);
  const waited: number[] = [];
  let asked = 0;
  await startGridRun(book, { ...deps(async () => ((asked += 1) <= 3 ? busy(null) : OK), waited), random: () => 0.5 })
    .finished;
  expect([waited, book.counts.done]).toEqual([[2000], 6]);
});

it('waits for the longest of the times that it is asked to wait', async () => {
  const book = toBook(2, 1);
  const open: (() => void)[] = [];
  let asked = 0;
  const run = startGridRun(book, {
    places: 2,
    random: () => 0,
    ask: async () => ((asked += 1) <= 2 ? busy(asked * 1000) : OK),
    wait: () => new Promise((resolve) => void open.push(resolve)),
  });
  await settle();
  open[0]?.();
  await settle();
  expect(asked).toBe(2);
  open[1]?.();
  await run.finished;
  expect(book.counts.done).toBe(2);
});

it('waits as long as it is put off, and loses no cell when a person pauses it', async () => {
  const book = toBook(2, 1);
  let tries = 0;
  const run = startGridRun(book, {
    ...deps(async () => ((tries += 1) === 40 && run.pause(), { ...away, waitMs: 1 })),
    places: 1,
  });
  expect([await run.finished, tries, book.counts.waiting]).toEqual([null, 40, 2]);
});

it('waits while the service is away, and goes on when it is back', async () => {
  const book = toBook(3);
  const waited: number[] = [];
  const causes: (string | null)[] = [];
  let asked = 0;
  const end = await startGridRun(book, {
    ...deps(async () => ((asked += 1) < 12 ? away : OK), waited),
    onHold: (hold) => void causes.push(hold && hold.cause),
    random: () => 0.5,
  }).finished;
  expect([end, book.counts.done, book.counts.failed]).toEqual([null, 6, 0]);
  expect(waited.slice(0, 3)).toEqual([2000, 4000, 8000]);
  expect(new Set(causes)).toEqual(new Set(['away', null]));
});

it('a service that restarts fails no cell: answers that broke off are asked for again', async () => {
  const book = toBook(30);
  let asked = 0;
  const end = await startGridRun(book, {
    ...deps(async () => {
      asked += 1;
      if (asked <= 10 || asked > 40) return OK;
      return asked <= 13 ? { kind: 'faulty', message: 'It broke off.', text: 'half', waitMs: null } : away;
    }),
    random: () => 0.5,
  }).finished;
  expect([end, book.counts.done, book.counts.failed]).toEqual([null, 60, 0]);
});

it('cells of a model that is away wait apart while others are answered, and go on when it is back', async () => {
  const book = toBook(100);
  const waited: number[] = [];
  const holds: (string | null | undefined)[] = [];
  let tries = 0;
  const end = await startGridRun(book, {
    ...deps(async ({ model }) => (model === 'm0' && (tries += 1) <= 8 ? away : OK), waited),
    onHold: (hold) => void holds.push(hold?.model),
    random: () => 0.5,
  }).finished;
  expect([end, book.counts.done, book.counts.failed]).toEqual([null, 200, 0]);
  expect(holds).toContain('m0');
  expect(waited.length).toBeLessThan(8);
});

it('a pause ends the wait for a model', async () => {
  const book = toBook(20);
  const run = startGridRun(book, {
    places: 3,
    ask: async ({ model }) => (model === 'm0' ? away : OK),
    wait: (_ms, signal) =>
      new Promise((resolve) => {
        if (book.counts.done === 20) setTimeout(() => run.pause());
        else setTimeout(resolve);
        signal.addEventListener('abort', () => resolve());
      }),
  });
  expect(await run.finished).toBeNull();
  expect({ ...book.counts }).toEqual({ waiting: 20, running: 0, done: 20, failed: 0, earlier: 0 });
});

it('asks twice more after a fault, with a wait of the cell’s own, and then says what it was', async () => {
  const book = toBook(1, 2);
  const waited: number[] = [];
  const holds: unknown[] = [];
  const asked: string[] = [];
  const run = startGridRun(book, {
    ...deps(
      async ({ model }) => (
        asked.push(model),
        model === 'm0' ? { kind: 'faulty', message: 'It broke.', text: 'half', waitMs: null } : OK
      ),
      waited,
    ),
    onHold: (hold) => void holds.push(hold),
    random: () => 0.5,
  });
  expect(await run.finished).toBeNull();
  expect([book.cells[0], book.cells[1]?.state]).toEqual([
    { state: 'failed', message: 'It broke.', text: 'half' },
    'done',
  ]);
  expect([asked.filter((model) => model === 'm0').length, waited, holds]).toEqual([3, [1000, 2000], []]);
});

it('asks anew for answers to an earlier prompt; only a new answer replaces one', async () => {
  const earlier = { state: 'done', answer: ANSWER, earlier: 'Hello {{n}}' } as const;
  const book = toBook(4, 1);
  for (let at = 0; at < 4; at += 1) book.setCell(at, earlier);
  const results: readonly AskResult[] = [
    OK,
    { kind: 'failed', message: 'no', text: 'half' },
    { kind: 'halted', message: 'gone' },
  ];
  let asked = 0;
  await startGridRun(book, { ...deps(async () => results[asked++] ?? OK), places: 1 }).finished;
  expect(book.cells).toEqual([
    { state: 'done', answer: ANSWER },
    { state: 'failed', message: 'no', text: 'half', kept: earlier },
    earlier,
    earlier,
  ]);
  const stopped = startGridRun(book, deps(openDesk().ask));
  await settle();
  expect(book.cells[2]).toEqual({ state: 'running', kept: earlier });
  stopped.stop();
  await stopped.finished;
  expect(book.cells.slice(2)).toEqual([earlier, earlier]);
  const unaskable = openGridBook({ ...book.setup, prompt: '{{other}}' }, new Map([[0, earlier]]));
  await startGridRun(
    unaskable,
    deps(async () => OK),
  ).finished;
  expect(unaskable.cells[0]).toMatchObject({ state: 'failed', kept: earlier });
});

it('names a missing variable without asking', async () => {
  const book = openGridBook({ ...toBook(1, 1).setup, prompt: '{{other}}' });
  let asked = 0;
  await startGridRun(
    book,
    deps(async () => ((asked += 1), OK)),
  ).finished;
  expect(asked).toBe(0);
  expect(book.cells[0]).toMatchObject({ state: 'failed' });
});

it('works through 10,000 rows', async () => {
  const book = toBook(10_000);
  await startGridRun(
    book,
    deps(async () => OK),
  ).finished;
  expect(book.counts.done).toBe(20_000);
});

it('pauses by itself when it is signed out: no cell fails for that', async () => {
  const book = toBook(100);
  let asked = 0;
  const end = await startGridRun(
    book,
    deps(async () => ((asked += 1) > 10 ? { kind: 'halted', message: 'no studio' } : OK)),
  ).finished;
  expect(end).toBe('no studio');
  expect({ ...book.counts }).toEqual({ waiting: 190, running: 0, done: 10, failed: 0, earlier: 0 });
});

it('pauses by itself when one failure follows the other, all the same', async () => {
  const book = toBook(100, 1);
  const end = await startGridRun(book, {
    ...deps(async () => ({ kind: 'failed', message: 'no such model', text: '' })),
    places: 1,
  }).finished;
  expect(end).toMatch(/^20 cells .* no such model$/);
  expect(book.counts.failed).toBe(20);
});

it('goes on while other cells are answered', async () => {
  const book = toBook(100);
  const end = await startGridRun(book, {
    ...deps(async ({ model }) => (model === 'm0' ? { kind: 'failed', message: 'no', text: 'half' } : OK)),
    places: 1,
  }).finished;
  expect([end, book.counts.failed, book.counts.done]).toEqual([null, 100, 100]);
  expect(book.cells[0]).toEqual({ state: 'failed', message: 'no', text: 'half' });
});

it('tells of the wait, and a pause ends it without a failure', async () => {
  const book = toBook(2, 1);
  const holds: unknown[] = [];
  let tries = 0;
  const run = startGridRun(book, {
    places: 1,
    ask: async () => ((tries += 1), busy(700)),
    wait: (_ms, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    onHold: (hold) => void holds.push(hold),
    random: () => 0,
  });
  await settle();
  expect(holds).toEqual([{ cause: 'busy', ms: 700, isFromService: true, message: 'busy', model: null }]);
  run.pause();
  await run.finished;
  expect([holds.at(-1), tries, book.counts.waiting]).toEqual([null, 1, 2]);
});
