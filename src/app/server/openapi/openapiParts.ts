// The parts of which the operations of the OpenAPI document are made.
import * as z from 'zod/mini';
import type { Json, SchemaName } from './openapiComponents.ts';
import { uuidSchema } from '#core/contract/schemas.ts';

export const ref = (name: SchemaName): Json => ({ $ref: `#/components/schemas/${name}` });
export const json = (name: SchemaName): Json => ({ 'application/json': { schema: ref(name) } });
export const answer = (description: string, name: SchemaName): Json => ({ description, content: json(name) });

const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is not valid; `param` names the field.',
  401: 'No token, or a wrong one.',
  403: 'This token may not do it.',
  404: 'There is nothing of this id.',
  409: 'The state of the studio does not allow it; the message says why.',
  413: 'The body is too large.',
  415: 'The body is not declared as JSON.',
  422: 'It is understood, but can not be done; the message says why, and what to do.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  501: 'This studio can not do it; the message says what it would need.',
  502: 'The remote studio or engine did not answer properly.',
  503: 'The studio is starting or shutting down, or the engine has no room; `Retry-After` may say when to try again.',
  504: 'The answer took longer than one may.',
};

export const failures = (...statuses: number[]): Json =>
  Object.fromEntries(statuses.map((status) => [String(status), answer(REASONS[status] ?? 'Failure.', 'Error')]));

/** Of reads that may take long: too many at a time, or one that took too long. */
export const BOUNDED = [429, 504] as const;

/** The parameters that a schema reads. */
export function params(place: 'path' | 'query' | 'header', schema: z.ZodMiniObject): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema: rest,
  }));
}

/** A part of a path: a UUID, if nothing else is said. */
export function pathParam(name: string, description: string, schema: z.ZodMiniType = uuidSchema): Json {
  const [param] = params('path', z.object({ [name]: schema }));
  return { ...param, description };
}

/** Any text in a path. */
export const anyName = z.string().check(z.minLength(1));

export const OURS = 'Not in SPEC: only a local studio reads folders, and a gateway answers 404.';

export const NOT_MODIFIED = { '304': { description: 'Nothing has changed since the ETag in If-None-Match.' } };
