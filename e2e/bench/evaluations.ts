// Evaluations: answers per second of a run in the service beside the prompt grid's way, four streams through the chat
// route, in turn in one run. Both ask 400 rows of 2 models that share system text and tools, and must get the same texts.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { EvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { AnswerPage, EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { startStudio, type StartedStudio } from '../startStudio.ts';
import { amount } from './short.ts';

const ROWS = amount(400, 20);
const ROUNDS = amount(2, 1);
/** Streams of the grid at a time. */
const GRID_PLACES = 4;
const SAMPLE = resolve(import.meta.dirname, '../../src/features/projects/server/sample');
const MODELS = ['orders', 'replies'] as const;
const SETTINGS = { temperature: 0, max_completion_tokens: 40 };

const TOOLS = ['change_address', 'request_refund', 'get_order_status', 'cancel_order'].map((name) => ({
  type: 'function' as const,
  function: { name, parameters: { type: 'object', properties: { order_id: { type: 'string' } } } },
}));

interface TrainingRow {
  readonly messages: NonNullable<EvaluationRow['messages']>;
}

/** Rows with the same system text and tools, without their answers. */
function readRows(): EvaluationRow[] {
  const lines = readFileSync(resolve(SAMPLE, 'orders.train.jsonl'), 'utf8').trim().split('\n').slice(0, ROWS);
  return lines.map((line) => {
    const { messages } = JSON.parse(line) as TrainingRow;
    return { messages: messages.slice(0, -1), tools: TOOLS };
  });
}

async function send<Answer>(
  { origin, token }: StartedStudio,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${origin}/api/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: status ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** The text and calls of a stream, without an object for each event: cheaper than what a page does. */
async function readStream({ origin, token }: StartedStudio, body: object): Promise<string> {
  const response = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true, stream_options: { include_usage: true } }),
  });
  const text = await response.text();
  if (!text.includes('[DONE]')) throw new Error(`the answer is not complete: ${text.slice(-300)}`);
  const pieces = [...text.matchAll(/"(?:content|arguments|name)":("(?:[^"\\]|\\.)*")/g)];
  return pieces.map(([, piece = '""']) => JSON.parse(piece) as string).join('');
}

interface Measured {
  readonly perSecond: number;
  /** What was answered, by model and row. */
  readonly texts: readonly string[];
}

async function askAsGrid(studio: StartedStudio, rows: readonly EvaluationRow[]): Promise<Measured> {
  const texts: string[] = [];
  let next = 0;
  const beganAt = performance.now();
  async function work(): Promise<void> {
    while (next < rows.length * MODELS.length) {
      const at = next;
      next += 1;
      const row = rows[Math.floor(at / MODELS.length)];
      const body = { model: MODELS[at % MODELS.length], ...SETTINGS, messages: row?.messages, tools: row?.tools };
      texts[at] = await readStream(studio, body);
    }
  }
  await Promise.all(Array.from({ length: GRID_PLACES }, work));
  return { perSecond: (texts.length / (performance.now() - beganAt)) * 1000, texts };
}

async function askAsRun(studio: StartedStudio, evaluation: string): Promise<Measured> {
  const beganAt = performance.now();
  const { id } = await send<EvaluationRun>(studio, 'POST', `studio/evaluations/${evaluation}/runs`, {});
  for (;;) {
    const run = await send<EvaluationRun>(studio, 'GET', `studio/evaluation-runs/${id}`);
    if (run.status === 'failed' || run.failed > 0) throw new Error(`the run has failed: ${JSON.stringify(run)}`);
    if (run.status === 'completed') break;
    await pause(100);
  }
  const ms = performance.now() - beganAt;
  const texts: string[] = [];
  for (let offset = 0; offset < ROWS; offset += 200) {
    const page = await send<AnswerPage>(
      studio,
      'GET',
      `studio/evaluation-runs/${id}/answers?limit=200&offset=${offset}`,
    );
    for (const { answers } of page.rows)
      for (const { text, tool_calls } of answers)
        texts.push([text, ...tool_calls.flatMap(({ name, arguments: given }) => [name, given])].join(''));
  }
  return { perSecond: ((ROWS * MODELS.length) / ms) * 1000, texts };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Prints answers per second of both, their ratio (median of paired rounds), and how many answers differ. */
export async function measureEvaluations(): Promise<void> {
  const models = [`orders=${SAMPLE}/support-orders-2.Q8_0.gguf`, `replies=${SAMPLE}/support-replies-1.Q8_0.gguf`];
  const studio = await startStudio({ args: ['--no-sample', ...models.flatMap((model) => ['--model', model])] });
  try {
    const rows = readRows();
    const { project_id } = await send<{ project_id: string }>(studio, 'POST', 'public/projects/create', {
      name: 'Bench',
      goal: 'Measure',
    });
    const { id } = await send<{ id: string }>(studio, 'POST', 'studio/evaluations', {
      project_id,
      name: 'Orders',
      source: { kind: 'rows' },
      rows,
      models: MODELS,
      settings: SETTINGS,
    });
    await askAsGrid(studio, rows.slice(0, 8));
    const pairs: { readonly grid: number; readonly run: number }[] = [];
    let differing = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const grid = await askAsGrid(studio, rows);
      const run = await askAsRun(studio, id);
      differing += run.texts.filter((text, at) => text !== grid.texts[at]).length;
      pairs.push({ grid: grid.perSecond, run: run.perSecond });
    }
    const ratio = median(pairs.map(({ grid, run }) => run / grid));
    process.stdout.write(
      `evaluations, ${ROWS} rows of ${MODELS.length} models: the grid's way ${median(pairs.map(({ grid }) => grid)).toFixed(1)} ` +
        `answers/s, a run ${median(pairs.map(({ run }) => run)).toFixed(1)}, ratio ${ratio.toFixed(2)} (median of ${ROUNDS} ` +
        `pairs), ${differing} answers differ\n`,
    );
  } finally {
    await studio.stop();
  }
}
