// Datasets whose rows a teacher writes, in the background. For all others each is an import that runs: it has progress, and can
// be cancelled; nothing of it stays if the service ends.
import { createHash, randomUUID } from 'node:crypto';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { EngineError } from '#engine/engine.ts';
import { toReason } from '#service/database/database.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import type { Leases } from '#service/database/leases/leases.ts';
import { DataProblem } from '#features/datasets/server/dataProblem.ts';
import { toRow } from '#features/datasets/server/datasets.ts';
import { startHeldImport, type HeldImport, type ImportDeps } from '#features/datasets/server/importing/heldImport.ts';
import { ImportCancelled, ImportRefused } from '#features/datasets/server/importing/importFailures.ts';
import { toBlocks, type StoredRow } from '#features/datasets/server/rows/rowBlocks.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { SyntheticOrder } from './syntheticForm.ts';
import { PAIRS_AT_ONCE, parsePairs, toPairsRequest, toPassages } from './teacherPairs.ts';

/** A model that writes rows. */
export interface Teacher {
  /** The model of this name, or the first that may teach; null: there is none. */
  find(name: string | null): Promise<string | null>;
  /** A whole answer. Throws EngineError. */
  ask(request: ChatRequest, signal: AbortSignal): Promise<string>;
}

export interface Generations {
  /** Begins. Throws HttpProblem 501 without a teacher, 404 for a model or a project that is not there, 429. */
  start(order: SyntheticOrder): Promise<string>;
  /** What runs of this id here; missing: nothing. */
  get(id: string): { cancel(): Promise<void> } | undefined;
  close(): Promise<void>;
}

/** Generations at the same time, in one process. */
const MOST = 2;
const ANSWER_MS = 300_000;
/** Replies that may give nothing new before it ends with what there is. */
const POOR_REPLIES = 5;
/** Rows that are stored together. */
const STORED = 50;

const noTeacher = (name: string | null): HttpProblem =>
  name === null
    ? new HttpProblem(
        501,
        'This studio can not generate rows: that needs a teacher model, and none is connected. Start it with --engine or ' +
          '--model, or name one of its models with model.',
        { code: 'teacher_needed', headers: { 'x-should-retry': 'false' } },
      )
    : new HttpProblem(404, `There is no model "${name}" here.`, { param: 'model', code: 'model_not_found' });

/** Rows until there are enough, or the teacher gives nothing new. */
async function writeRows(
  held: HeldImport,
  order: SyntheticOrder,
  model: string,
  teacher: Teacher,
  signal: AbortSignal,
) {
  const passages = toPassages(order.texts);
  const wanted = order.pairs_to_generate;
  const questions = new Set<string>();
  let waiting: StoredRow[] = [];
  let failure: string | null = null;
  let poor = 0;
  async function store(): Promise<void> {
    if (waiting.length > 0) await held.addBlocks(toBlocks(waiting));
    waiting = [];
    await held.beat(0);
  }
  for (let turn = 0; questions.size < wanted && poor < POOR_REPLIES; turn += 1) {
    signal.throwIfAborted();
    const passage = passages[turn % Math.max(1, passages.length)] ?? null;
    const count = Math.min(PAIRS_AT_ONCE, wanted - questions.size);
    const request = toPairsRequest(order, model, passage, [...questions], count);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const reply = await teacher.ask(request, limit).catch((error: unknown) => {
      signal.throwIfAborted();
      failure = error instanceof EngineError ? error.message : `The teacher failed (${toReason(error)}).`;
      return '';
    });
    const fresh = parsePairs(reply)
      .filter(({ question }) => !questions.has(question))
      .slice(0, count);
    for (const { question, answer } of fresh) {
      questions.add(question);
      const messages = [
        { role: 'user' as const, content: question },
        { role: 'assistant' as const, content: answer },
      ];
      waiting.push(toRow({ messages }));
    }
    poor = fresh.length === 0 ? poor + 1 : 0;
    if (waiting.length >= STORED || turn % 4 === 0) await store();
  }
  await store();
  return { rows: questions.size, failure };
}

export function openGenerations(
  deps: ImportDeps & { readonly leases: Leases; readonly onWarning: (text: string) => void },
  teacher: Teacher,
): Generations {
  const running = new Map<string, { cancel(): Promise<void> }>();

  async function generate(held: HeldImport, order: SyntheticOrder, model: string, signal: AbortSignal): Promise<void> {
    try {
      const { rows, failure } = await writeRows(held, order, model, teacher, signal);
      const why =
        rows > 0
          ? null
          : `${model} wrote no row. ${failure ?? 'Its replies had no questions and answers: choose a larger model.'}`;
      await held.complete(
        {
          refusal: null,
          form: 'chat',
          rows,
          unit: 'line',
          badCount: why === null ? 0 : 1,
          badLines: why === null ? [] : [{ line: 1, column: 1, message: why, start: '' }],
          digest: createHash('sha256').update(JSON.stringify(order)).digest('hex'),
        },
        why === null ? 'completed' : 'failed',
      );
    } catch (error) {
      await held.remove();
      const isEnd = [ImportCancelled, ImportRefused, LeaseLost].some((kind) => error instanceof kind);
      if (!isEnd && !signal.aborted) deps.onWarning(`Rows could not be generated (${toReason(error)}).`);
    }
  }

  return {
    async start(order) {
      const model = await teacher.find(order.model ?? null);
      if (model === null) throw noTeacher(order.model ?? null);
      if (running.size >= MOST)
        throw new DataProblem(429, `The studio generates ${MOST} datasets now. Send this one when one has ended.`, {
          code: 'too_many_imports',
        });
      const id = randomUUID();
      const place = { name: order.name, project_id: order.project_id };
      const closing = new AbortController();
      running.set(id, { cancel: async () => closing.abort() });
      try {
        const held = await startHeldImport(deps, id, { place, total: null });
        const work = generate(held, order, model, closing.signal).finally(() => running.delete(id));
        running.set(id, {
          async cancel() {
            closing.abort();
            await work;
          },
        });
        return id;
      } catch (error) {
        running.delete(id);
        if (!(error instanceof ImportRefused)) throw error;
        throw new HttpProblem(404, error.message, { param: 'project_id', code: error.code });
      }
    },
    get: (id) => running.get(id),
    async close() {
      await Promise.allSettled([...running.values()].map((each) => each.cancel()));
    },
  };
}
