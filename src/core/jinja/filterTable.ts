// What may stand behind `|`.
import { bindArguments } from './bind.ts';
import { TEXT_FILTERS } from './textFilters.ts';
import type { Filter, FreeFilter } from './filter.ts';
import { hasFilter } from './filterNames.ts';
import { formatPercent } from './formatPercent.ts';
import { isTrue, iterate } from './iteration.ts';
import { generate, toGetter, type Getter, LIST_FILTERS, CHOOSING_FILTERS } from './listFilters.ts';
import { toText } from './representation.ts';
import { TemplateError } from './templateError.ts';
import { toStr } from './textFunctions.ts';
import { Dict, Markup, Tuple, type Kwargs, type Run, type Value } from './values.ts';

const FILTERS = new Map<string, Filter>(Object.entries({ ...TEXT_FILTERS, ...LIST_FILTERS }));

/** The filter or attribute that `map` applies. */
function toMapped(run: Run, args: readonly Value[], kwargs: Kwargs): Getter {
  if (args.length === 0 && kwargs.has('attribute')) {
    const extra = [...kwargs.keys()].find((name) => name !== 'attribute' && name !== 'default');
    if (extra !== undefined) throw new TemplateError(`Unexpected keyword argument '${extra}'`);
    return toGetter(run, kwargs.get('attribute') ?? null, false, kwargs.get('default') ?? null);
  }
  const [name, ...rest] = args;
  if (name === undefined) throw new TemplateError('map requires a filter argument');
  return (item) => applyFilter(run, toStr(name), item, rest, kwargs);
}

function format(run: Run, value: Value, args: readonly Value[], kwargs: Kwargs): Value {
  if (args.length > 0 && kwargs.size > 0)
    throw new TemplateError("can't handle positional and keyword arguments at the same time");
  const named = new Dict();
  for (const [name, item] of kwargs) named.set(name, item);
  const text = formatPercent(run, toText(run, value), kwargs.size > 0 ? named : new Tuple(args));
  return value instanceof Markup ? new Markup(text) : text;
}

const FREE_FILTERS = new Map<string, FreeFilter>(
  Object.entries<FreeFilter>({
    ...CHOOSING_FILTERS,
    format,
    map: (run, value, args, kwargs) =>
      generate('sync_do_map', function* () {
        if (!isTrue(value)) return;
        const change = toMapped(run, args, kwargs);
        for (const item of iterate(run, value)) {
          run.spend(1);
          yield change(item);
        }
      }),
  }),
);

/** `value | name(args)`. Throws for a filter that does not exist. */
export function applyFilter(run: Run, name: string, value: Value, args: readonly Value[], kwargs: Kwargs): Value {
  run.spend(1);
  const filter = FILTERS.get(name);
  if (filter !== undefined) {
    const isBare = filter.parameters.length === 0 && args.length === 0 && kwargs.size === 0;
    if (isBare) return filter.apply(run, value);
    return filter.apply(run, value, ...bindArguments(name, filter.parameters, args, kwargs));
  }
  const free = FREE_FILTERS.get(name);
  if (free !== undefined) return free(run, value, args, kwargs);
  throw new TemplateError(
    hasFilter(name) ? `the filter '${name}' is not supported here` : `there is no filter named '${name}'`,
  );
}
