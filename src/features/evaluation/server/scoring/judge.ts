// Asks a model for its verdict on answers, a few at a time.
import { setTimeout as pause } from 'node:timers/promises';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { Engine } from '#engine/engine.ts';
import { toHoldMs } from '#features/evaluation/shared/backOff.ts';
import type { JudgeCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { askModel } from '#features/evaluation/server/askModel.ts';
import type { PlacedVerdict } from '#features/evaluation/server/verdicts.ts';
import { notJudged, readJudgement, toJudgeRequest } from './judgement.ts';
import type { ScoreOrder, Scorer } from './scorers.ts';

const BATCH = 8;
/** More tries after a fault, and while the judge can't answer anybody. */
const MAX_FAULTS = 2;
const MAX_WAITS = 8;
const CALLER = 'evaluation judge';

const CUT = 'The judge’s answer was cut before its verdict. Write a shorter rubric, or choose a judge that says less.';

export interface JudgeDeps {
  readonly engine: Pick<Engine, 'load'>;
  /** The messages that an answer to the row came to. */
  readonly toMessages: (row: ScoreOrder['row']) => ChatRequest['messages'];
}

/** Rejects where the judge stays away. */
export function openJudge(check: JudgeCheck, { engine, toMessages }: JudgeDeps): Scorer {
  async function judge(order: ScoreOrder, signal: AbortSignal): Promise<PlacedVerdict> {
    const place = { position: order.row.position, repeat: order.repeat };
    const request = toJudgeRequest(check, order, toMessages(order.row));
    let [faults, waits] = [0, 0];
    for (;;) {
      const asked = await askModel(engine, request, signal, CALLER);
      if (asked.kind === 'answered' && asked.answer.finish_reason === 'length') return { ...place, ...notJudged(CUT) };
      if (asked.kind === 'answered')
        return { ...place, ...readJudgement(asked.answer.text, check.model === order.model) };
      const message = `The judge ${check.model} gave no verdict: ${asked.message}`;
      if (asked.kind === 'failed') return { ...place, ...notJudged(message) };
      if (asked.kind === 'faulty') {
        if ((faults += 1) > MAX_FAULTS) return { ...place, ...notJudged(message) };
        continue;
      }
      if ((waits += 1) > MAX_WAITS) throw new Error(message);
      await pause(toHoldMs(asked.waitMs, waits, Math.random()), undefined, { signal });
    }
  }
  return {
    ids: [check.id],
    batch: BATCH,
    score: async (orders, signal) =>
      new Map([[check.id, await Promise.all(orders.map((order) => judge(order, signal)))]]),
    close: () => Promise.resolve(),
  };
}
