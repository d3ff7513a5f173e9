// What a template is made of, as Jinja2's nodes.
import type { Value } from './values.ts';

export interface Call {
  readonly args: readonly Expression[];
  readonly kwargs: readonly { readonly name: string; readonly value: Expression }[];
  /** `*args` and `**kwargs`. */
  readonly moreArgs: Expression | null;
  readonly moreKwargs: Expression | null;
}

export type Expression = { readonly line: number } & (
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list' | 'tuple' | 'concat'; readonly items: readonly Expression[] }
  | { readonly kind: 'dict'; readonly pairs: readonly (readonly [key: Expression, value: Expression])[] }
  | { readonly kind: 'attribute'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'item'; readonly of: Expression; readonly key: Expression }
  | {
      readonly kind: 'slice';
      readonly of: Expression;
      /** start, stop, step. */
      readonly bounds: readonly (Expression | null)[];
    }
  | { readonly kind: 'call'; readonly of: Expression; readonly call: Call }
  /** `of` null: what the block around it writes. */
  | { readonly kind: 'filter'; readonly of: Expression | null; readonly name: string; readonly call: Call }
  | { readonly kind: 'test'; readonly of: Expression; readonly name: string; readonly call: Call }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | 'not'; readonly of: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'compare';
      readonly first: Expression;
      readonly rest: readonly { readonly operator: Comparison; readonly of: Expression }[];
    }
  | {
      readonly kind: 'choice';
      readonly test: Expression;
      readonly yes: Expression;
      readonly no: Expression | null;
    }
);

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';

/** What `set` and `for` assign to. */
export type Target =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly name: string; readonly field: string }
  | { readonly kind: 'tuple'; readonly targets: readonly Target[] };

export interface Parameter {
  readonly name: string;
  readonly default: Expression | null;
}

export type Body = readonly Statement[];

export type Statement = { readonly line: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly of: Expression }
  | { readonly kind: 'set'; readonly target: Target; readonly value: Expression }
  | { readonly kind: 'setBlock'; readonly target: Target; readonly filter: Expression | null; readonly body: Body }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly test: Expression; readonly body: Body }[];
      readonly otherwise: Body;
    }
  | {
      readonly kind: 'for';
      readonly target: Target;
      readonly items: Expression;
      readonly test: Expression | null;
      readonly isRecursive: boolean;
      readonly body: Body;
      readonly otherwise: Body;
    }
  | { readonly kind: 'break' | 'continue' }
  | { readonly kind: 'macro'; readonly name: string; readonly parameters: readonly Parameter[]; readonly body: Body }
  | {
      readonly kind: 'callBlock';
      readonly call: Expression;
      readonly parameters: readonly Parameter[];
      readonly body: Body;
    }
  | { readonly kind: 'filterBlock'; readonly filter: Expression; readonly body: Body }
  | {
      readonly kind: 'with';
      readonly values: readonly { readonly target: Target; readonly value: Expression }[];
      readonly body: Body;
    }
  /** transformers' own tag: its body is what the assistant wrote. */
  | { readonly kind: 'generation'; readonly body: Body }
  | { readonly kind: 'block'; readonly name: string; readonly isScoped: boolean; readonly body: Body }
  /** What needs other templates: `include`, `import`, `extends`. */
  | { readonly kind: 'other'; readonly tag: string }
);
