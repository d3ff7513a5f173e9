// Requests to the endpoints that only our own studio has. Their answers are of the version of this page and are not read
// field by field: one field is looked for, so that another program's answer is an error with words.
import { isObject } from '#core/contract/readJson.ts';
import type { Answer, AnyEndpoint, Body, Endpoint, Frozen, QueryNames } from '#core/contract/endpoint.ts';
import { toPath, type PathValues, type QueryValues } from '#core/contract/path.ts';
import { ApiFailure, toShapeFailure } from './failure.ts';
import { announceUnreachable } from './reachability.ts';
import { readJson, requestText, type RequestOptions, type TextAnswer } from './request.ts';

type Method = Endpoint['method'];
type PathOf<M extends Method> = Extract<AnyEndpoint, { readonly method: M }>['path'];
type At<M extends Method, P extends string> = Extract<AnyEndpoint, { readonly method: M; readonly path: P }>;
type AnswerOf<E> = E extends Endpoint ? Answer<E> : never;
type BodyOf<E> = E extends Endpoint ? Body<E> : never;
/** A field that an answer always has. */
type FieldOf<T> = T extends object
  ? { [Key in keyof T]-?: undefined extends T[Key] ? never : Key }[keyof T] & string
  : never;

type CallOptions<E> = Omit<RequestOptions, 'method' | 'body'> & { readonly query?: QueryValues<QueryNames<E>> };
type SendOptions<E> = CallOptions<E> & {
  readonly body?: Frozen<BodyOf<E>>;
  readonly field?: FieldOf<AnswerOf<E>>;
};

/** Said where an answer may be null, so that a caller thinks of it. */
type MayBeNull<E> = null extends AnswerOf<E> ? { readonly isNullable: true } : { readonly isNullable?: never };

/** Throws ApiFailure of kind `shape`. */
export function checkAnswer(answer: TextAnswer, field?: string, isNullable = false): unknown {
  const body = readJson(answer);
  if (body === null && isNullable) return null;
  if (field === undefined || (isObject(body) && body[field] !== undefined)) return body;
  throw toShapeFailure(answer.status, answer.headers, `it has no ${field}`);
}

/** Asks for what a page shows. Whoever watches hears that the service could not be reached. Throws ApiFailure. */
export async function requestShown(path: string, options: RequestOptions): Promise<TextAnswer> {
  try {
    return await requestText(path, options);
  } catch (error) {
    if (error instanceof ApiFailure && error.kind === 'network') announceUnreachable();
    throw error;
  }
}

/** Reads an answer. Throws ApiFailure, also for an answer without `field`. */
export async function ask<const P extends PathOf<'GET'>>(
  path: P,
  values: PathValues<P>,
  field: FieldOf<AnswerOf<At<'GET', P>>>,
  { query, isNullable, ...options }: CallOptions<At<'GET', P>> & MayBeNull<At<'GET', P>>,
): Promise<AnswerOf<At<'GET', P>>> {
  const answer = await requestShown(toPath(path, values, query), options);
  return checkAnswer(answer, field, isNullable) as AnswerOf<At<'GET', P>>;
}

/** Sends a request that changes something. Throws ApiFailure. */
export async function send<M extends Exclude<Method, 'GET'>, const P extends PathOf<M>>(
  method: M,
  path: P,
  values: PathValues<P>,
  { query, field, ...options }: SendOptions<At<M, P>>,
): Promise<AnswerOf<At<M, P>>> {
  const answer = await requestText(toPath(path, values, query), { ...options, method });
  return (answer.status === 204 ? undefined : checkAnswer(answer, field)) as AnswerOf<At<M, P>>;
}
