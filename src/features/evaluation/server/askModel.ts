// Asks a model for one answer, and says what became of it.
import { RESTART_CODES } from '#core/contract/errors.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { EngineError, type Engine, type EngineEvent } from '#engine/engine.ts';
import type { WrittenCall } from '#features/evaluation/shared/toolCalls.ts';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import { toReason } from '#service/database/database.ts';

interface ModelAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly WrittenCall[];
  readonly finish_reason: string | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly ms: number;
  readonly fingerprint: string | null;
}

export type Asked =
  | { readonly kind: 'answered'; readonly answer: ModelAnswer }
  /** Another try gives the same. `text`: what had come. */
  | { readonly kind: 'failed'; readonly message: string; readonly text: string; readonly ms: number }
  /** It may pass. */
  | { readonly kind: 'faulty'; readonly message: string; readonly text: string; readonly ms: number }
  /** The model can't answer anybody now. `waitMs` null: nobody said for how long. */
  | { readonly kind: 'postponed'; readonly message: string; readonly waitMs: number | null };

/** A model can't answer anybody, and has not for a while. `waitMs` null: nobody said for how long. */
export class ModelAway extends Error {
  override readonly name = 'ModelAway';
  constructor(
    message: string,
    readonly waitMs: number | null,
  ) {
    super(message);
  }
}

/** Faults of a file: waiting helps nobody. */
const LASTING: ReadonlySet<string> = new Set([
  'model_file_missing',
  'model_file_damaged',
  'model_crashed',
  'engine_out_of_memory',
]);
/** Of one answer, not of the model. */
const OF_ANSWER: ReadonlySet<string> = new Set(['schema_not_followed', 'upstream_unreadable']);

interface Partial {
  text: string;
  reasoning: string;
  readonly calls: { name: string; arguments: string }[];
}

function add(answer: Partial, event: EngineEvent): void {
  if (event.type === 'text-delta') answer.text += event.text;
  else if (event.type === 'reasoning-delta') answer.reasoning += event.text;
  else if (event.type === 'tool-call-delta') {
    const call = (answer.calls[event.index] ??= { name: '', arguments: '' });
    if (event.name !== undefined) call.name = event.name;
    call.arguments += event.arguments ?? '';
  }
}

const toWaitMs = (retryAfter: string | null): number | null => {
  const seconds = Number(retryAfter);
  return retryAfter !== null && seconds > 0 ? seconds * 1000 : null;
};

function toAsked(error: unknown, text: string, ms: number): Asked {
  if (!(error instanceof EngineError)) return { kind: 'faulty', message: toReason(error), text, ms };
  const { status, code, message, retryAfter } = error;
  if (LASTING.has(code)) return { kind: 'failed', message, text, ms };
  if (status === 429 || RESTART_CODES.has(code) || (status >= 502 && !OF_ANSWER.has(code)))
    return { kind: 'postponed', message, waitMs: toWaitMs(retryAfter) };
  return { kind: status >= 500 ? 'faulty' : 'failed', message, text, ms };
}

/** Rejects only with AbortError. `caller`: whose turn the answer takes. */
export async function askModel(
  engine: Pick<Engine, 'load'>,
  request: ChatRequest,
  signal: AbortSignal,
  caller: string,
): Promise<Asked> {
  const answer: Partial = { text: '', reasoning: '', calls: [] };
  const beganAt = performance.now();
  const ms = (): number => performance.now() - beganAt;
  try {
    const model = await engine.load(request.model, signal, caller);
    if (model === null)
      return { kind: 'failed', message: `There is no model "${request.model}" here now.`, text: '', ms: ms() };
    for await (const event of model.generate(request, signal, caller)) {
      add(answer, event);
      const { text, reasoning } = answer;
      if (text.length + reasoning.length > EVALUATION_LIMITS.answerCharacters)
        return {
          kind: 'failed',
          message: `The answer is longer than ${EVALUATION_LIMITS.answerCharacters.toLocaleString('en')} characters. Set max_completion_tokens.`,
          text: text.slice(0, EVALUATION_LIMITS.reasonCharacters),
          ms: ms(),
        };
      if (event.type !== 'message-end') continue;
      const { prompt_tokens = null, completion_tokens = null } = event.usage ?? {};
      const { finish_reason } = event;
      const whole = {
        ...answer,
        finish_reason,
        prompt_tokens,
        completion_tokens,
        ms: ms(),
        fingerprint: model.fingerprint,
      };
      return { kind: 'answered', answer: whole };
    }
    return { kind: 'faulty', message: 'The answer broke off before it was complete.', text: answer.text, ms: ms() };
  } catch (error) {
    if (signal.aborted) throw error;
    return toAsked(error, answer.text, ms());
  }
}
