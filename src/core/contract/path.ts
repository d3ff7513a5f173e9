// Paths of the API, filled. Only types are taken from the endpoints: the browser loads no schema.
import type { AnyEndpoint, QueryNames } from './endpoint.ts';

/** A value for each parameter of a path, in their order. */
export type PathValues<P extends string> = P extends `${string}{${string}}${infer Rest}`
  ? readonly [string | number, ...PathValues<Rest>]
  : readonly [];

export type QueryValues<Name extends string> = { readonly [Key in Name]?: string | number | null | undefined };

/** What is empty in the query is left out. */
export function toPath<const P extends AnyEndpoint['path']>(
  path: P,
  values: PathValues<P>,
  query: QueryValues<QueryNames<Extract<AnyEndpoint, { readonly path: P }>>> = {},
): string {
  const left = [...values];
  const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(left.shift() ?? ''));
  const given = Object.entries<unknown>(query).filter(([, value]) => value != null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? filled : `${filled}?${text}`;
}
