// Own functions that judge answers.
import * as z from 'zod/mini';
import { defineEndpoints } from '#core/contract/endpoint.ts';
import { maxCharacters } from '#core/contract/schemas.ts';

/** ASSUMED: ours. Characters of a function and of one answer; answers of a request. */
export const FUNCTION_LIMITS = { source: 20_000, text: 50_000, answers: 20 } as const;

const textSchema = z.string().check(maxCharacters(FUNCTION_LIMITS.text));

const functionRunSchema = z.strictObject({
  source: z
    .string()
    .check(
      z.minLength(1),
      maxCharacters(FUNCTION_LIMITS.source),
      z.describe('JavaScript: `(answer, expected, row) => boolean | number | {pass, score, reason}`.'),
    ),
  answers: z
    .array(
      z.strictObject({
        answer: textSchema,
        expected: z.nullable(textSchema),
        row: z.record(z.string(), z.unknown()).check(z.describe('The variables of the row by name.')),
      }),
    )
    .check(z.minLength(1), z.maxLength(FUNCTION_LIMITS.answers)),
});

const functionOutcomesSchema = z.strictObject({
  outcomes: z.array(
    z.union([
      z.strictObject({ ok: z.literal(true), value: z.optional(z.unknown()) }),
      z.strictObject({ ok: z.literal(false), reason: z.string(), isLate: z.optional(z.literal(true)) }),
    ]),
  ),
});

export const FUNCTIONS = defineEndpoints(
  { tag: 'Chat' },
  {
    // ASSUMED: not in SPEC. Pages may not run code that people write: their policy allows neither eval nor WebAssembly.
    runFunction: {
      method: 'POST',
      path: '/api/v1/studio/function-checks',
      title: 'Judge answers by an own function',
      about:
        'Runs the function on each answer in a WebAssembly sandbox (QuickJS), with a second and 32 MiB for each. It reaches no file, no network ' +
        "and no other answer. Only the studio's own token may do so. Not in SPEC: a gateway answers 404.",
      body: { FunctionRun: functionRunSchema },
      // 20 answers with their expected ones, each character escaped, and the variables of their rows.
      bodyBytes: 16 * 1024 * 1024,
      answer: { FunctionOutcomes: functionOutcomesSchema },
      says: 'What the function gave of each answer, in order, or why it gave nothing.',
      failures: [403],
      changesNothing: true,
    },
  },
);

declare module '#core/contract/endpoint.ts' {
  interface EndpointGroups {
    readonly functions: typeof FUNCTIONS;
  }
}
