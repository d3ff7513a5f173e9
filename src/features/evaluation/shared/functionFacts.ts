// What own functions give of answers, in the form in which a check takes it (AnswerFacts).
import { isBlankCheck } from './checkSet.ts';
import type { AnswerFacts, CheckSpec } from './checks.ts';
import type { FunctionInput, FunctionOutcome } from './functionValue.ts';

/** Runs a function: one outcome for each input, in order. Never rejects. */
export type RunFunctions = (source: string, inputs: readonly FunctionInput[]) => Promise<readonly FunctionOutcome[]>;

/** Of each input what the function of each check gave. */
export async function toFunctionFacts(
  specs: readonly CheckSpec[],
  inputs: readonly FunctionInput[],
  run: RunFunctions,
): Promise<readonly Pick<AnswerFacts, 'functions'>[]> {
  const sources = specs.flatMap((spec) =>
    spec.kind === 'function' && spec.expected !== null && !isBlankCheck(spec) ? [spec.expected] : [],
  );
  if (sources.length === 0) return inputs.map(() => ({}));
  const outcomes = await Promise.all(sources.map(async (source) => [source, await run(source, inputs)] as const));
  return inputs.map((_, at) => ({
    functions: Object.fromEntries(
      outcomes.flatMap(([source, given]) => (given[at] ? [[source, given[at]] as const] : [])),
    ),
  }));
}
