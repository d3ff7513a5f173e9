// The operation of the OpenAPI document that an endpoint's record is.
import * as z from 'zod/mini';
import { paramNames, type Endpoint, type Named } from '#core/contract/endpoint.ts';
import { uuidSchema } from '#core/contract/schemas.ts';

export type Json = Record<string, unknown>;

const ERROR: Json = { schema: { $ref: '#/components/schemas/Error' } };

const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is not valid; `param` names the field.',
  401: 'No token, or a wrong one.',
  403: 'This token may not do it.',
  404: 'There is nothing of this id.',
  408: 'The body took too long to arrive.',
  409: 'The state of the studio does not allow it; the message says why.',
  413: 'The body is too large.',
  415: 'The body is not declared as JSON.',
  422: 'It is understood, but can not be done; the message says why, and what to do.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  501: 'This studio can not do it; the message says what it would need.',
  502: 'The remote studio or engine did not answer properly.',
  503: 'The studio is starting or shutting down, or the engine has no room; `Retry-After` may say when to try again.',
  504: 'The answer took longer than one may.',
  507: 'There is no room for it: the disk is full, or a limit is reached; the message says which.',
};

const BYTES: Json = { schema: { type: 'string', format: 'binary' } };
const TEXT: Json = { schema: { type: 'string' } };

/** A reference to the schema, as content. */
function toContent(named: Named, isNullable = false): Json {
  const $ref = `#/components/schemas/${Object.keys(named)[0]}`;
  return { schema: isNullable ? { anyOf: [{ $ref }, { type: 'null' }] } : { $ref } };
}
const toJson = (named: Named, isNullable = false): Json => ({ 'application/json': toContent(named, isNullable) });

/** The parameters that a schema reads. */
function toParams(place: 'path' | 'query' | 'header', schema: z.ZodMiniObject): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema: rest,
  }));
}

function toPathParam(name: string, given: string | z.ZodMiniType | undefined): Json[] {
  if (typeof given === 'object') return toParams('path', z.object({ [name]: given }));
  const description = given ?? `UUID of the ${name.replace(/Id$/, '')}.`;
  return toParams('path', z.object({ [name]: uuidSchema.check(z.describe(description)) }));
}

/** Statuses of failures: those that follow from the record, and its own. */
function toFailures(endpoint: Endpoint): number[] {
  const { method, path, params = {}, query, headers, body, form, upload, load, failures = [] } = endpoint;
  const hasId = paramNames(path).some((name) => typeof params[name] !== 'object');
  const isSent = (body ?? form ?? upload) !== undefined;
  const found = new Set(failures);
  if (!endpoint.isOpen) for (const status of [401, 503]) found.add(status);
  if (!endpoint.isOpen && method !== 'GET' && !endpoint.changesNothing) found.add(403);
  if (hasId || isSent || query || headers) found.add(400);
  if (hasId) found.add(404);
  if (isSent) for (const status of [413, 415]) found.add(status);
  if (load) found.add(429);
  // Files are sent as long as their reader takes them.
  if (load && load !== 'file') found.add(504);
  return [...found].toSorted((a, b) => a - b);
}

function toGood(endpoint: Endpoint): Json {
  const { answer, isNullable, file, events, status, says = 'Done.', isTagged, others = {} } = endpoint;
  const more = Object.entries(others).map(([name, other]) => [
    name,
    { description: other.says, ...(other.answer && { content: toJson(other.answer) }) },
  ]);
  const streamed = events && { 'text/event-stream': events === 'text' ? TEXT : toContent(events) };
  const isText = file === 'text/plain' || file === 'application/x-ndjson';
  const content = answer ? { ...toJson(answer, isNullable), ...streamed } : file && { [file]: isText ? TEXT : BYTES };
  return {
    [status ?? (content ? 200 : 204)]: { description: says, ...(content && { content }) },
    ...(isTagged && { 304: { description: 'Nothing has changed since the ETag in If-None-Match.' } }),
    ...Object.fromEntries(more),
  };
}

function toRequestContent({ body, bodyExamples, form, upload }: Endpoint): Json | null {
  if (form) return { 'multipart/form-data': toContent(form) };
  if (upload) return { 'application/octet-stream': BYTES };
  return body ? { 'application/json': { ...toContent(body), ...(bodyExamples && { examples: bodyExamples }) } } : null;
}

export function toOperation(endpoint: Endpoint): Json {
  const { id, tag, title, about, source, path, params = {}, query, headers, isOpen } = endpoint;
  const parameters = [
    ...paramNames(path).flatMap((name) => toPathParam(name, params[name])),
    ...(query ? toParams('query', query) : []),
    ...(headers ? toParams('header', headers) : []),
  ];
  const content = toRequestContent(endpoint);
  const description = [about, source].filter(Boolean).join(' ');
  const failures = toFailures(endpoint).map((status) => [
    status,
    { description: REASONS[status] ?? 'Failure.', content: { 'application/json': ERROR } },
  ]);
  return {
    tags: [tag],
    operationId: id,
    summary: title,
    ...(description && { description }),
    ...(isOpen && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: true, content } }),
    responses: { ...Object.fromEntries(failures), ...toGood(endpoint) },
  };
}
