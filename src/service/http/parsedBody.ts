// Bodies, forms, and the parts of addresses and heads as a schema of the contract has them.
import type * as z from 'zod/mini';
import { toIssue } from '#core/contract/issues.ts';
import { readJsonBody } from './body.ts';
import { HttpProblem } from './problem.ts';
import type { RouteContext } from './route.ts';

/** The fields of a form, or of what else `whole` names. Throws HttpProblem 400 that names the field. */
export function toParsed<Schema extends z.ZodMiniType>(
  schema: Schema,
  given: unknown,
  whole = 'The form',
): z.infer<Schema> {
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const { message, param } = toIssue(parsed.error.issues, whole);
  throw new HttpProblem(400, message, { param, code: 'invalid_request' });
}

/** The query of the address. Throws HttpProblem 400 that names the field. */
export function readQuery<Schema extends z.ZodMiniType>(context: RouteContext, schema: Schema): z.infer<Schema> {
  return toParsed(schema, context.req.query(), 'The query');
}

/** A part of the path. Throws HttpProblem 400 that names it. */
export function readParam<Schema extends z.ZodMiniType>(
  context: RouteContext,
  name: string,
  schema: Schema,
): z.infer<Schema> {
  const parsed = schema.safeParse(context.req.param(name) ?? '', { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new HttpProblem(400, toIssue(parsed.error.issues, name).message, { param: name, code: 'invalid_request' });
}

/** A body of at most `limit` bytes. Throws HttpProblem: 400 that names the field, or that of a body that can't be read. */
export async function readBody<Schema extends z.ZodMiniType>(
  context: RouteContext,
  schema: Schema,
  limit: number,
): Promise<z.infer<Schema>> {
  return toParsed(schema, await readJsonBody(context.env.incoming, limit), 'The request body');
}
