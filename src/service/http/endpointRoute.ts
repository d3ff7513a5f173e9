// The route of an endpoint's record: what is sent is read as the record says, and what the handler gives is answered so.
import type * as z from 'zod/mini';
import {
  paramNames,
  type Answer,
  type Body,
  type Endpoint,
  type Frozen,
  type Headers,
  type Params,
  type Query,
} from '#core/contract/endpoint.ts';
import { toIssue } from '#core/contract/issues.ts';
import { readJsonBody } from './body.ts';
import { sendTagged } from './etag.ts';
import { HttpProblem } from './httpProblem.ts';
import { sendJson, uuidParam, type Route, type RouteContext } from './route.ts';

/** What was sent, as the schemas of the record read it. Ids are in small letters. */
export interface Sent<E extends Endpoint> {
  readonly params: Params<E>;
  readonly query: Query<E>;
  readonly headers: Headers<E>;
  readonly body: Body<E>;
  readonly context: RouteContext;
}

/** The fields of a form, or of what else `whole` names. Throws HttpProblem 400 that names the field. */
export function toParsed<Schema extends z.ZodMiniType>(
  schema: Schema,
  given: unknown,
  whole = 'The form',
): z.output<Schema> {
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const { message, param } = toIssue(parsed.error.issues, whole);
  throw new HttpProblem(400, message, { param, code: 'invalid_request' });
}

function readParam(context: RouteContext, name: string, schema: string | z.ZodMiniType | undefined): unknown {
  if (typeof schema !== 'object') return uuidParam(context, name);
  const parsed = schema.safeParse(context.req.param(name) ?? '', { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new HttpProblem(400, toIssue(parsed.error.issues, name).message, { param: name, code: 'invalid_request' });
}

function readHeaders(context: RouteContext, schema: z.ZodMiniObject): unknown {
  const names = Object.keys(schema.shape);
  return toParsed(schema, Object.fromEntries(names.map((name) => [name, context.req.header(name)])));
}

/** Throws HttpProblem: 400 that names the field, or that of a body that can't be read. */
async function readSent(
  { path, params = {}, query, headers, body, bodyBytes = 0 }: Endpoint,
  context: RouteContext,
): Promise<Omit<Sent<Endpoint>, 'context'>> {
  const ofPath = paramNames(path).map((name) => [name, readParam(context, name, params[name])]);
  const ofQuery = query && toParsed(query, context.req.query(), 'The query');
  const ofHead = headers && readHeaders(context, headers);
  const [schema] = bodyBytes > 0 ? Object.values(body ?? {}) : [];
  const sent = schema && toParsed(schema, await readJsonBody(context.env.incoming, bodyBytes), 'The request body');
  return { params: Object.fromEntries(ofPath), query: ofQuery, headers: ofHead as never, body: sent as never };
}

/** `handle` gives what the record says is answered, or an answer of its own, such as a file. */
export function toRoute<const E extends Endpoint>(
  endpoint: E,
  handle: (sent: Sent<E>) => Promise<Frozen<Answer<E>> | Response>,
): Route {
  const { method, path, isOpen, changesNothing, isQuiet, takesRunToken, load, status, isTagged } = endpoint;
  return {
    method,
    path,
    ...(isOpen && { isOpen }),
    ...(changesNothing && { changesNothing }),
    ...(isQuiet && { isQuiet }),
    ...(takesRunToken && { takesRunToken }),
    ...(load && { load }),
    async handle(context) {
      const answer: unknown = await handle({ ...(await readSent(endpoint, context)), context } as Sent<E>);
      if (answer instanceof Response) return answer;
      if (answer === undefined) return new Response(null, { status: 204 });
      if (isTagged) return sendTagged(JSON.stringify(answer), context.req.header('If-None-Match'));
      return sendJson(answer, status);
    },
  };
}
