// Asks a program of people for a score of each answer: `POST {datapoint, prediction, model_name}` gives `{score, reason}`.
// SOURCE: "bring your own evaluation" of the hosted studio (BYOE), whose body and answer these are.
import { setTimeout as pause } from 'node:timers/promises';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { isObject, parseJson } from '#core/contract/readJson.ts';
import { toBackOff } from '#features/evaluation/shared/backOff.ts';
import { DEFAULT_THRESHOLDS } from '#features/evaluation/shared/checks.ts';
import type { HttpCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import type { PlacedVerdict } from '#features/evaluation/server/verdicts.ts';
import { notJudged } from './judgement.ts';
import type { ScoreOrder, Scorer } from './scorers.ts';

/** What the operator allowed. */
interface AllowedEvaluator {
  readonly name: string;
  readonly url: string;
}

export interface EvaluatorAccess {
  readonly allowed: readonly AllowedEvaluator[];
  /** Sent as a bearer token; null: none. */
  readonly token: string | null;
}

const BATCH = 8;
const ANSWER_MS = 30_000;
/** More tries after a fault that may pass. */
const MAX_RETRIES = 2;
const MAX_BYTES = 64 * 1024;

type Judged = ReturnType<typeof notJudged>;
/** Another try may help. */
type Tried = Judged & { readonly mayPass?: true };

const failed = (why: string): Tried => notJudged(why);
const faulty = (why: string): Tried => ({ ...notJudged(why), mayPass: true });

/** The text of an answer; null: it is too long. */
async function readText(answer: Response): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parseScore(text: string, threshold: number): Judged {
  const value = parseJson(text);
  const { score, reason } = isObject(value) ? value : {};
  if (typeof score !== 'number' || !(score >= 0 && score <= 1))
    return notJudged(
      `The evaluator answered ${text.trim() === '' ? 'nothing' : `“${text.trim().slice(0, 80)}”`}; it must answer {"score": 0 to 1, "reason": text}.`,
    );
  return { outcome: score >= threshold ? 'pass' : 'fail', score, reason: typeof reason === 'string' ? reason : null };
}

export interface OwnEvaluatorDeps {
  readonly access: EvaluatorAccess;
  /** The messages that an answer to the row came to. */
  readonly toMessages: (row: ScoreOrder['row']) => ChatRequest['messages'];
  readonly answerMs?: number;
  readonly faultMs?: number;
}

/** A row whose evaluator stays silent, refuses or answers nonsense is not checked, for a reason that says what happened. */
export function openOwnEvaluator(
  { id, evaluator, threshold = DEFAULT_THRESHOLDS.http }: HttpCheck,
  { access, toMessages, answerMs = ANSWER_MS, faultMs = 1_000 }: OwnEvaluatorDeps,
): Scorer {
  const address = access.allowed.find(({ name }) => name === evaluator)?.url ?? null;

  async function ask(url: string, body: string, signal: AbortSignal): Promise<Tried> {
    const limit = AbortSignal.timeout(answerMs);
    try {
      const answer = await fetch(url, {
        method: 'POST',
        body,
        // The token goes to the address that the operator allowed, and nowhere else.
        redirect: 'manual',
        signal: AbortSignal.any([signal, limit]),
        headers: {
          'Content-Type': 'application/json',
          ...(access.token !== null && { Authorization: `Bearer ${access.token}` }),
        },
      });
      const { status } = answer;
      if (status >= 300 && status < 400) {
        await answer.body?.cancel();
        return failed(
          `The evaluator answered ${status}, which leads elsewhere. Give the studio the address it leads to.`,
        );
      }
      const text = await readText(answer);
      if (text === null) return failed(`The evaluator answered more than ${MAX_BYTES / 1024} KB.`);
      if (answer.ok) return parseScore(text, threshold);
      const said = `The evaluator answered ${status}: ${text.trim().slice(0, 200) || 'no text'}.`;
      return status === 429 || status >= 500 ? faulty(said) : failed(said);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) return faulty(`The evaluator gave no answer within ${answerMs / 1000} s.`);
      const { cause } = error as { cause?: unknown };
      const why = cause instanceof Error ? cause.message : String(error);
      return faulty(`The evaluator could not be reached: ${why}.`);
    }
  }

  async function judge(order: ScoreOrder, signal: AbortSignal): Promise<PlacedVerdict> {
    const place = { position: order.row.position, repeat: order.repeat };
    if (address === null)
      return {
        ...place,
        ...notJudged(`This studio was started without an evaluator ${evaluator}: --evaluator ${evaluator}=URL.`),
      };
    const { expected } = order.row;
    const messages = [
      ...toMessages(order.row),
      ...(expected == null ? [] : [{ role: 'assistant' as const, content: expected }]),
    ];
    const prediction =
      order.calls.length === 0 ? order.text : JSON.stringify({ content: order.text, tool_calls: order.calls });
    const body = JSON.stringify({ datapoint: { messages }, prediction, model_name: order.model });
    for (let tries = 0; ; tries += 1) {
      const { mayPass, ...judged } = await ask(address, body, signal);
      if (mayPass === undefined || tries === MAX_RETRIES) return { ...place, ...judged };
      await pause(toBackOff(faultMs, tries, Math.random()), undefined, { signal });
    }
  }

  return {
    ids: [id],
    batch: BATCH,
    score: async (orders, signal) => new Map([[id, await Promise.all(orders.map((order) => judge(order, signal)))]]),
    close: () => Promise.resolve(),
  };
}
