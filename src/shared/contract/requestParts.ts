// What requests for text of any form share.
import * as z from 'zod/mini';

/** Why a request can't be served. `param` is a path such as `messages[1].role`, null for the body as a whole. */
export interface RequestProblem {
  readonly message: string;
  readonly param: string | null;
}

export type ParsedAs<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: RequestProblem };

/** A field that may only have the value which changes nothing: what would change the answer is not ignored. */
export const only = <Value extends number | boolean | string>(
  schema: z.ZodMiniType<Value>,
  value: Value,
  why: string,
) =>
  schema.check(
    z.refine((given) => given === value, `must be ${JSON.stringify(value)}: ${why}`),
    z.meta({ const: value }),
  );
