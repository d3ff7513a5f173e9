// Asks a model for its verdict on answers, a few at a time: on each by itself, or on each beside the baseline's.
import { setTimeout as pause } from 'node:timers/promises';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { failRead, type Read } from '#core/contract/readJson.ts';
import { toHoldMs } from '#features/evaluation/shared/backOff.ts';
import type { JudgeCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { isPairJudge } from '#features/evaluation/shared/wireChecks.ts';
import { askModel, ModelAway } from '#features/evaluation/server/askModel.ts';
import { notJudged, readJudgement, toJudgeRequest, type Judged } from './judgement.ts';
import { readPairJudgement, toPairRequest, toPairVerdict } from './pairJudgement.ts';
import type { ScoreOrder, Scorer, ScorerDeps } from './scorers.ts';

const BATCH = 8;
/** More tries after a fault. */
const MAX_FAULTS = 2;
const CALLER = 'evaluation judge';

const CUT = 'The judge’s answer was cut before its verdict. Write a shorter rubric, or choose a judge that says less.';

export interface JudgeDeps extends Pick<ScorerDeps, 'engine' | 'patienceMs'> {
  /** The messages that an answer to the row came to. */
  readonly toMessages: (row: ScoreOrder['row']) => ChatRequest['messages'];
}

/** Rejects with ModelAway where the judge stays away for all answers of a batch. */
export function openJudge(check: JudgeCheck, { engine, patienceMs, toMessages }: JudgeDeps): Scorer {
  /** When it began to say nothing: it is waited for once, not anew for each answer. */
  let awaySince: number | null = null;

  /** What the judge says, or why it says nothing. */
  async function ask(request: ChatRequest, signal: AbortSignal): Promise<Read<string>> {
    for (let [faults, waits] = [0, 0]; ;) {
      const asked = await askModel(engine, request, signal, CALLER);
      if (asked.kind !== 'postponed') awaySince = null;
      if (asked.kind === 'answered')
        return asked.answer.finish_reason === 'length' ? failRead(CUT) : { ok: true, value: asked.answer.text };
      const message = `The judge ${check.model} gave no verdict: ${asked.message}`;
      if (asked.kind === 'failed') return failRead(message);
      if (asked.kind === 'faulty') {
        if ((faults += 1) > MAX_FAULTS) return failRead(message);
        continue;
      }
      const holdMs = toHoldMs(asked.waitMs, waits, Math.random());
      awaySince ??= performance.now();
      if (performance.now() + holdMs > awaySince + patienceMs) throw new ModelAway(message, asked.waitMs);
      await pause(holdMs, undefined, { signal });
      waits += 1;
    }
  }

  const ids = new Map<string, Promise<string>>();
  /** The full identifier of a model, which a run and a check may name by different aliases. */
  function readId(name: string): Promise<string> {
    const id =
      ids.get(name) ??
      engine.findModel(name).then(
        (found) => found?.id ?? name,
        () => name,
      );
    ids.set(name, id);
    return id;
  }
  const isItself = async (name: string): Promise<boolean> => (await readId(name)) === (await readId(check.model));

  async function judgeOne(order: ScoreOrder, signal: AbortSignal): Promise<Judged> {
    const said = await ask(toJudgeRequest(check, order, toMessages(order.row)), signal);
    return said.ok ? readJudgement(said.value, await isItself(order.model)) : notJudged(said.reason);
  }

  /** Asked twice: a judge may prefer what it reads first. */
  async function judgePair(order: ScoreOrder, signal: AbortSignal): Promise<Judged> {
    const { against } = order;
    if (against === null) throw new Error('A pair has two answers.');
    const messages = toMessages(order.row);
    const sides = [
      [order, against],
      [against, order],
    ] as const;
    const read = [];
    for (const [first, second] of sides) {
      const said = await ask(toPairRequest(check, order.row, messages, first, second), signal);
      const judged = said.ok ? readPairJudgement(said.value) : said;
      if (!judged.ok) return notJudged(judged.reason);
      read.push(judged.value);
    }
    return toPairVerdict(read, (await isItself(order.model)) || (await isItself(against.model)));
  }

  const isPairs = isPairJudge(check);
  const judge = isPairs ? judgePair : judgeOne;
  return {
    ids: [check.id],
    batch: BATCH,
    isPairs,
    score: async (orders, signal) => {
      const verdicts = orders.map(async (order) =>
        Object.assign({ position: order.row.position, repeat: order.repeat }, await judge(order, signal)),
      );
      // Verdicts that have come are paid for, and are kept where it is away for others.
      const settled = await Promise.allSettled(verdicts);
      const given = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      const failures = settled.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : []));
      const failure = failures.find((reason) => !(reason instanceof ModelAway));
      if (failure !== undefined) throw failure;
      if (failures.length > 0 && given.length === 0) throw failures[0];
      return new Map([[check.id, given]]);
    },
    close: () => Promise.resolve(),
  };
}
