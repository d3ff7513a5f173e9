// What an endpoint of the API is: one record, from which follow its route, its operation of the OpenAPI document, and the
// types of the browser's requests, which import types only. A new endpoint is a record, a handler and a call.
import type * as z from 'zod/mini';

/** One schema by its name in the document: `{ RowPage: rowPageSchema }`. */
export type Named = Readonly<Record<string, z.ZodMiniType>>;

/** An answer beside the usual one, such as 304. */
interface OtherAnswer {
  readonly says: string;
  readonly answer?: Named;
}

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its parameters in braces: `/api/v1/public/projects/{projectId}`. */
  readonly path: `/${string}`;
  /** The name of the operation. */
  readonly id: string;
  readonly tag:
    | 'Projects'
    | 'Recommendations'
    | 'Data'
    | 'Training'
    | 'Traces'
    | 'Workers'
    | 'Runs'
    | 'Evaluation'
    | 'Chat'
    | 'Session'
    | 'Service';
  readonly title: string;
  /** More sentences. */
  readonly about?: string;
  /** The last sentence: where it comes from, and who else has it. */
  readonly source?: string;
  /** Of parameters of the path: what a UUID is of, where the name does not say it, or the schema of one that is no UUID. */
  readonly params?: Readonly<Record<string, string | z.ZodMiniType>>;
  readonly query?: z.ZodMiniObject;
  readonly headers?: z.ZodMiniObject;
  /** Sent as JSON, at most `bodyBytes`. */
  readonly body?: Named;
  readonly bodyBytes?: number;
  readonly bodyExamples?: object;
  /** Sent as a form with a file, or as a file. */
  readonly form?: Named;
  readonly upload?: true;
  /** JSON. Without an answer or a file: 204. */
  readonly answer?: Named;
  /** An answer that may be null, instead. */
  readonly isNullable?: true;
  /** A file, by its media type. */
  readonly file?: 'application/x-ndjson' | 'application/gzip' | 'application/octet-stream' | 'text/plain';
  /** Answered instead to a request for a stream: the schema of its events. */
  readonly events?: Named | 'text';
  /** 200, or 204 without an answer. */
  readonly status?: 201 | 202;
  /** What is answered. */
  readonly says?: string;
  /** With an ETag: 304 while nothing is new. */
  readonly isTagged?: true;
  /** Statuses of failures that do not follow from the rest. */
  readonly failures?: readonly number[];
  readonly others?: Readonly<Record<number, OtherAnswer>>;
  /** It needs no token. Endpoints are closed by default. */
  readonly isOpen?: true;
  /** Not a GET, but it leaves what the studio keeps as it is: read-only tokens may use it, and it is not recorded. */
  readonly changesNothing?: true;
  /** One of many changes that belong to one that people made: it is not recorded by itself. */
  readonly isQuiet?: true;
  /** The token of a run's own worker may use it, too. */
  readonly takesRunToken?: true;
  /** It may take long: see boundedReads.ts of the service. */
  readonly load?: 'page' | 'render' | 'whole' | 'folder' | 'file';
}

type Shared = Pick<Endpoint, 'tag' | 'source'>;
type Entry = Omit<Endpoint, 'id' | 'tag'> & Partial<Pick<Endpoint, 'id' | 'tag'>>;

/** Endpoints by the name of their operation. What all have in common is `shared`. */
export function defineEndpoints<const Group extends Readonly<Record<string, Entry>>>(
  shared: Shared,
  group: Group,
): { readonly [Name in keyof Group]: Group[Name] & Shared & { readonly id: string } } {
  const entries = Object.entries(group).map(([id, entry]) => [id, { id, ...shared, ...entry }]);
  return Object.fromEntries(entries) as never;
}

/** The names of the parameters of a path, in their order. */
export const paramNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** As it is sent: lists that can't be changed are lists, too. */
export type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;

/** What a named schema reads. */
type Read<N> = N extends Named ? z.output<N[keyof N]> : never;

type ParamName<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamName<Rest> : never;

type ParamValue<E extends Endpoint, Name extends string> =
  E['params'] extends Readonly<Record<Name, infer Schema extends z.ZodMiniType>> ? z.output<Schema> : string;

export type Params<E extends Endpoint> = { readonly [Name in ParamName<E['path']>]: ParamValue<E, Name> };
export type Query<E extends Endpoint> = E['query'] extends z.ZodMiniType ? z.output<E['query']> : unknown;
export type Headers<E extends Endpoint> = E['headers'] extends z.ZodMiniType ? z.output<E['headers']> : unknown;
export type Body<E extends Endpoint> = Read<E['body']>;
export type Answer<E extends Endpoint> = E['answer'] extends Named
  ? Read<E['answer']> | (E['isNullable'] extends true ? null : never)
  : void;

/** All groups of endpoints: each says so beside its records, so that requests are checked and nothing here knows a feature. */
export interface EndpointGroups {}

type ValueOf<Group> = Group extends unknown ? Group[keyof Group] : never;
export type AnyEndpoint = ValueOf<EndpointGroups[keyof EndpointGroups]>;

/** Such as `POST /api/v1/public/projects/create`. */
export type EndpointName = AnyEndpoint extends infer E
  ? E extends Endpoint
    ? `${E['method']} ${E['path']}`
    : never
  : never;

export type QueryNames<E> = E extends { readonly query: infer Schema extends z.ZodMiniType }
  ? keyof z.output<Schema> & string
  : never;
