// A JSON schema in a form that can be written as a grammar: every text of a node satisfies the schema. The parser makes
// nodes, and the writer reads them.
import type { Bound } from './numberBounds.ts';
import type { CharRange } from './charClass.ts';

export interface ObjectMember {
  readonly name: string;
  readonly node: SchemaNode;
  readonly isRequired: boolean;
}

/** A step of an automaton: one character of `ranges`, then the state `to`. */
export interface Move {
  readonly ranges: readonly CharRange[];
  readonly to: number;
}

/** The texts that a pattern matches. State 0 is the start. Every state leads to an end. */
export interface Automaton {
  readonly states: readonly { readonly isEnd: boolean; readonly moves: readonly Move[] }[];
  /** The largest number of continuations of a state. */
  readonly width: number;
}

export const STRING_FORMATS = ['date', 'time', 'date-time', 'uuid', 'email', 'ipv4', 'hostname', 'uri'] as const;
export type StringFormat = (typeof STRING_FORMATS)[number];

export type SchemaNode =
  | { readonly kind: 'any' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'null' }
  /** One of these values, written without spaces. Never empty. */
  | { readonly kind: 'literal'; readonly values: readonly unknown[] }
  /** Lengths in characters (code points); `max` null: no bound. */
  | { readonly kind: 'string'; readonly min: number; readonly max: number | null }
  | { readonly kind: 'format'; readonly format: StringFormat }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly automaton: Automaton }
  | { readonly kind: 'number'; readonly isInteger: boolean; readonly min: Bound | null; readonly max: Bound | null }
  /** `items` null: nothing after the prefix. */
  | {
      readonly kind: 'array';
      readonly prefix: readonly SchemaNode[];
      readonly items: SchemaNode | null;
      readonly min: number;
      readonly max: number | null;
    }
  /** Members in this order. */
  | { readonly kind: 'object'; readonly members: readonly ObjectMember[] }
  /** An object with any names. */
  | { readonly kind: 'map'; readonly values: SchemaNode; readonly min: number; readonly max: number | null }
  /** Any of the options. Never empty. */
  | { readonly kind: 'union'; readonly options: readonly SchemaNode[] }
  /** The definition of that name in the document. */
  | { readonly kind: 'ref'; readonly name: string };

/** A whole schema. `definitions` has the targets of refs. */
export interface SchemaDocument {
  readonly root: SchemaNode;
  /** By the canonical form of their pointers. */
  readonly definitions: ReadonlyMap<string, SchemaNode>;
}

/** Steps from the schema's root. */
export type SchemaPath = readonly (string | number)[];

/** The parser for the schemas inside a container. */
export interface SchemaParser {
  parse(schema: unknown, path: SchemaPath): SchemaNode;
}

/** Where and why a schema can't be enforced. `path` leads from the schema's root to the keyword. */
export class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem';
  constructor(
    readonly path: SchemaPath,
    message: string,
  ) {
    super(message);
  }
}
