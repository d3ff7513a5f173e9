// Asks the models of a run for the answers that it has not got, a few models at a time, each row by row.
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '#engine/engine.ts';
import { toBackOff, toHoldMs } from '#features/evaluation/shared/backOff.ts';
import type { PlacedEvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { Orm } from '#service/database/database.ts';
import { toAnswerRequest, toRequestHash } from './answerRequest.ts';
import type { AnswerWriter } from './answerWriter.ts';
import { readAnswered, readLastErrors, type NewAnswer } from './answers.ts';
import { askModel, ModelAway, type Asked } from './askModel.ts';
import { BLOCK_ROWS, readBlock } from './rowSets.ts';
import type { RunModel, WholeRun } from './runRecords.ts';

export interface AskTiming {
  /** Models that are asked at a time, and requests of each: what an engine has no place for waits in its queue. */
  readonly models: number;
  readonly places: number;
  /** Before another try after a fault; doubled each time. */
  readonly faultMs: number;
  /** How long a run holds up the others for a model that can't answer, and how long it is put aside then. */
  readonly patienceMs: number;
  readonly asideMs: number;
}

export const ASK_TIMING: AskTiming = {
  models: 2,
  places: 16,
  faultMs: 1_000,
  patienceMs: 30_000,
  asideMs: 60_000,
};

/** A run that is taken up again holds up the others for less. */
export const toPatienceMs = ({ patienceMs }: AskTiming, { run }: WholeRun): number =>
  run.status === 'waiting' ? patienceMs / 10 : patienceMs;

export interface AskDeps {
  readonly orm: Orm;
  readonly engine: Pick<Engine, 'load'>;
  readonly writer: AnswerWriter;
  readonly timing: AskTiming;
  readonly signal: AbortSignal;
  readonly onAnswer: () => void;
  /** All that are asked can't answer now; null: one has answered again. */
  readonly onWait: (message: string | null) => void;
}

/** More tries after a fault. */
const MAX_FAULTS = 2;
/** After so many failures in a row for one reason a model is not asked any more. */
const MAX_SAME_FAILURES = 20;

/** Other callers take turns with it. */
const CALLER = 'evaluation';

interface Job {
  readonly row: PlacedEvaluationRow;
  readonly repeat: number;
}

/** What a model has not answered, in the order of the rows. */
async function* listJobs({ orm }: AskDeps, { run, content }: WholeRun, model: number): AsyncGenerator<Job, void> {
  const answered = await readAnswered(orm, run.id, model, run.repeats);
  for (let first = 0; first < run.row_count; first += BLOCK_ROWS) {
    const end = Math.min(run.row_count, first + BLOCK_ROWS) * run.repeats;
    let isOpen = false;
    for (let place = first * run.repeats; place < end && !isOpen; place += 1) isOpen = !answered.has(place);
    if (!isOpen) continue;
    for (const row of await readBlock(orm, content.row_set_id, first))
      for (let repeat = 1; repeat <= run.repeats; repeat += 1)
        if (!answered.has(row.position * run.repeats + repeat - 1)) yield { row, repeat };
  }
}

/** Models that can't answer now; the run waits when all that are asked are among them. */
class Waits {
  readonly asked = new Set<number>();
  readonly #waiting = new Map<number, string>();
  #isWaiting = false;

  constructor(readonly onWait: AskDeps['onWait']) {}

  set(place: number, message: string | null): void {
    if (message === null) this.#waiting.delete(place);
    else this.#waiting.set(place, message);
    const isWaiting = this.asked.size > 0 && [...this.asked].every((each) => this.#waiting.has(each));
    if (isWaiting !== this.#isWaiting) this.onWait(isWaiting ? (message ?? '') : null);
    this.#isWaiting = isWaiting;
  }

  end(place: number): void {
    this.asked.delete(place);
    this.set(place, null);
  }
}

const toGivenUp = (model: string, message: string): string =>
  `${model}: ${MAX_SAME_FAILURES} rows one after another got no answer, for the same reason: ${message}`;

/** Why the last answers of a model that was given up before are missing; null: it was not given up. */
async function readSameFailure(orm: Orm, runId: string, { place, failed }: RunModel): Promise<string | null> {
  if (failed < MAX_SAME_FAILURES) return null;
  const [first = null, ...others] = await readLastErrors(orm, runId, place, MAX_SAME_FAILURES);
  return others.every((error) => error === first) ? first : null;
}

/** Resolves to why the model is not asked any more, for good or for now; null: each row was asked. */
async function askOne(
  deps: AskDeps,
  whole: WholeRun,
  { place, model }: RunModel,
  waits: Waits,
): Promise<string | ModelAway | null> {
  const { engine, writer, signal, timing, onAnswer } = deps;
  const jobs = listJobs(deps, whole, place);
  let same = { message: '', count: 0 };
  const halt: { reason: string | ModelAway | null } = { reason: null };
  let tries = 0;
  /** When it began to answer nothing. */
  let awaySince: number | null = null;
  // A model that was away before is given up sooner, until it has answered.
  let patienceMs = toPatienceMs(timing, whole);
  /** While the model can't answer, no other request is sent to it. */
  let hold: Promise<void> | null = null;

  const sleep = (ms: number): Promise<void> => pause(ms, undefined, { signal }).catch(() => undefined);

  async function holdBack({ message, waitMs }: Extract<Asked, { kind: 'postponed' }>): Promise<void> {
    if (hold !== null) return hold;
    if (halt.reason !== null) return undefined;
    waits.set(place, message);
    awaySince ??= performance.now();
    const holdMs = toHoldMs(waitMs, tries, Math.random());
    if (performance.now() + holdMs > awaySince + patienceMs) {
      halt.reason = new ModelAway(message, waitMs);
      return undefined;
    }
    const waiting = async (): Promise<void> => {
      await sleep(holdMs);
      hold = null;
    };
    hold = waiting();
    tries += 1;
    return hold;
  }

  function fail(message: string): void {
    same = { message, count: same.message === message ? same.count + 1 : 1 };
    if (same.count >= MAX_SAME_FAILURES) halt.reason ??= toGivenUp(model, message);
  }

  async function ask({ row, repeat }: Job): Promise<void> {
    const request = toAnswerRequest(whole.content, row, model, repeat);
    const base = { model: place, position: row.position, repeat, hash: request.ok ? toRequestHash(request.value) : '' };
    const none = { reasoning: '', calls: [], finish_reason: null, prompt_tokens: null, completion_tokens: null };
    const toFailed = (error: string, text: string, ms: number): NewAnswer => ({
      ...base,
      ...none,
      error,
      text,
      ms,
      fingerprint: null,
    });
    if (!request.ok) {
      fail(request.reason);
      return writer.add(toFailed(request.reason, '', 0));
    }
    for (let faults = 0; ;) {
      const asked = await askModel(engine, request.value, signal, CALLER);
      if (asked.kind !== 'postponed') {
        tries = 0;
        awaySince = null;
        waits.set(place, null);
      }
      if (asked.kind === 'answered') {
        same = { message: '', count: 0 };
        patienceMs = timing.patienceMs;
        onAnswer();
        return writer.add({ ...base, ...asked.answer, error: null });
      }
      if (asked.kind === 'postponed') await holdBack(asked);
      else if (asked.kind === 'failed' || faults >= MAX_FAULTS) {
        fail(asked.message);
        return writer.add(toFailed(asked.message, asked.text, asked.ms));
      } else {
        await sleep(toBackOff(timing.faultMs, faults, Math.random()));
        faults += 1;
      }
      if (signal.aborted || halt.reason !== null) return;
    }
  }

  async function work(): Promise<void> {
    while (!signal.aborted && halt.reason === null) {
      if (hold !== null) {
        await hold;
        continue;
      }
      const next = await jobs.next();
      if (next.done === true) return;
      await ask(next.value);
    }
  }

  await Promise.all(Array.from({ length: timing.places }, work));
  return halt.reason;
}

export interface AskEnd {
  /** Why models were left before their end. */
  readonly reasons: readonly string[];
  /** Some are to be asked later; null: each row was asked of the others. */
  readonly away: ModelAway | null;
}

/** Rejects when `signal` is aborted. */
export async function askAll(deps: AskDeps, whole: WholeRun): Promise<AskEnd> {
  const waits = new Waits(deps.onWait);
  const wanted = whole.run.row_count * whole.run.repeats;
  const reasons: (string | ModelAway)[] = [];
  const left: RunModel[] = [];
  for (const model of whole.models) {
    const isOpen = model.done + model.failed < wanted;
    const error =
      isOpen || whole.run.status === 'waiting' ? await readSameFailure(deps.orm, whole.run.id, model) : null;
    if (error !== null) reasons.push(toGivenUp(model.model, error));
    else if (isOpen) left.push(model);
  }
  async function work(): Promise<void> {
    for (let model = left.shift(); model !== undefined; model = left.shift()) {
      waits.asked.add(model.place);
      const reason = await askOne(deps, whole, model, waits);
      if (reason !== null) reasons.push(reason);
      waits.end(model.place);
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: deps.timing.models }, work));
  await deps.writer.finish();
  deps.signal.throwIfAborted();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return {
    reasons: reasons.filter((reason) => typeof reason === 'string'),
    away: reasons.find((reason) => reason instanceof ModelAway) ?? null,
  };
}
