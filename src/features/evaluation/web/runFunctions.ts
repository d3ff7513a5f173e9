// Asks the service to judge answers by an own function, because a page may not run code that people write.
import type { FunctionInput, FunctionOutcome } from '#features/evaluation/shared/functionValue.ts';
import type { FUNCTION_LIMITS } from '#features/evaluation/shared/functionEndpoints.ts';
import { send } from '#ui/client/call.ts';

/** Of a request, as functionEndpoints.ts has them, which the page does not load. */
const LIMITS: typeof FUNCTION_LIMITS = { source: 20_000, text: 50_000, answers: 20 };
const TOO_LONG: FunctionOutcome = {
  ok: false,
  reason: `An own function judges texts of at most ${LIMITS.text.toLocaleString('en')} characters. Judge this answer yourself.`,
};

const isTooLong = ({ answer, expected }: FunctionInput): boolean =>
  Math.max(answer.length, expected?.length ?? 0) > LIMITS.text;

async function runSome(source: string, answers: readonly FunctionInput[]): Promise<readonly FunctionOutcome[]> {
  try {
    const { outcomes } = await send('POST', '/api/v1/studio/function-checks', [], {
      body: { source, answers },
      field: 'outcomes',
    });
    return outcomes;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return answers.map(() => ({ ok: false, reason: `The service did not run the function: ${reason}` }));
  }
}

/** One outcome for each input, in order. If the service runs no functions for this person, each says why. */
export async function runFunctions(
  source: string,
  inputs: readonly FunctionInput[],
): Promise<readonly FunctionOutcome[]> {
  const sent = inputs.filter((input) => !isTooLong(input));
  const outcomes: FunctionOutcome[] = [];
  while (outcomes.length < sent.length)
    outcomes.push(...(await runSome(source, sent.slice(outcomes.length, outcomes.length + LIMITS.answers))));
  const next = outcomes.values();
  return inputs.map((input) => (isTooLong(input) ? TOO_LONG : (next.next().value ?? TOO_LONG)));
}
