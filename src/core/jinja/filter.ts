// What a filter is.
import type { ParameterList } from './bind.ts';
import type { Kwargs, Run, Value } from './values.ts';

export interface Filter {
  /** Without the value itself. */
  readonly parameters: ParameterList;
  readonly apply: (run: Run, value: Value, ...values: Value[]) => Value;
}

/** A filter that reads its arguments itself. */
export type FreeFilter = (run: Run, value: Value, args: readonly Value[], kwargs: Kwargs) => Value;
