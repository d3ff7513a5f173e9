// The selection on the axes of a plot, as a value and as a list of texts for the address: `axis:lo..hi` for numbers
// (either end may be open), `axis=value|value` for categories.
import { toShortName } from '#core/contract/shortName.ts';

/** A row's value on an axis; null: missing. */
export type PlotValue = number | string | null;

export type AxisBrush =
  /** Both ends inclusive; null is an open end. Missing values never match. */
  | { readonly kind: 'range'; readonly from: number | null; readonly to: number | null }
  /**
   * Any of these, long ones by their short names; the empty text stands for a missing value. A number matches by its
   * text.
   */
  | { readonly kind: 'values'; readonly values: readonly string[] };

/** By axis id (a short name), in the order in which the axes were brushed. A map, as an id can be any text. */
export type Brush = ReadonlyMap<string, AxisBrush>;

export const NO_BRUSH: Brush = new Map();

/** The value that stands for "not given" among the values of an axis. */
export const MISSING = '';

const ESCAPES: Readonly<Record<string, string>> = { '%': '%25', '|': '%7C', '=': '%3D', ':': '%3A' };
const toEscaped = (text: string): string => text.replaceAll(/[%|=:]/g, (mark) => ESCAPES[mark] ?? mark);
/** Reads only the escapes above: a hand-written "100%" stays as it is. */
const toPlain = (text: string): string => text.replaceAll(/%(?:25|7C|3D|3A)/gi, (mark) => decodeURIComponent(mark));

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** null for an open end, undefined for what is no number. */
function parseEnd(text: string): number | null | undefined {
  if (text === '') return null;
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** Ends in order, -0 as 0, short names of values, none twice; null if it selects nothing or can't be written. */
function toNormal(brush: AxisBrush): AxisBrush | null {
  if (brush.kind === 'values')
    return brush.values.length > 0 ? { kind: 'values', values: [...new Set(brush.values.map(toShortName))] } : null;
  const from = brush.from === 0 ? 0 : brush.from;
  const to = brush.to === 0 ? 0 : brush.to;
  if (!Number.isFinite(from ?? 0) || !Number.isFinite(to ?? 0)) return null;
  return from !== null && to !== null && from > to
    ? { kind: 'range', from: to, to: from }
    : { kind: 'range', from, to };
}

function parseRange(text: string): AxisBrush | null {
  // The number before the dots may itself end in a dot ("1...2"), so the last ".." counts.
  const dots = text.lastIndexOf('..');
  if (dots < 0) return null;
  const [from, to] = [parseEnd(text.slice(0, dots)), parseEnd(text.slice(dots + 2))];
  return from === undefined || to === undefined ? null : toNormal({ kind: 'range', from, to });
}

/**
 * Reads the list in the address. Invalid entries are ignored. Of two entries for an axis the last one counts, but lists
 * of values add up. Never throws.
 */
export function parseBrush(list: readonly string[]): Brush {
  const brush = new Map<string, AxisBrush>();
  for (const entry of list) {
    const mark = entry.search(/[:=]/);
    if (mark < 0) continue;
    const rest = entry.slice(mark + 1);
    const read =
      entry[mark] === ':' ? parseRange(rest) : toNormal({ kind: 'values', values: rest.split('|').map(toPlain) });
    if (!read) continue;
    const axisId = toShortName(toPlain(entry.slice(0, mark)));
    const before = brush.get(axisId);
    const isMore = before?.kind === 'values' && read.kind === 'values';
    brush.set(axisId, isMore ? { kind: 'values', values: [...new Set([...before.values, ...read.values])] } : read);
  }
  return brush;
}

/** The address drops entries of more than 256 characters: many values are spread over several entries. */
const MOST_CHARACTERS = 240;

function toValueEntries(name: string, values: readonly string[]): readonly string[] {
  const entries: string[] = [];
  for (const value of values.map(toEscaped)) {
    const last = entries.at(-1);
    if (last !== undefined && last.length + 1 + value.length <= MOST_CHARACTERS)
      entries[entries.length - 1] = `${last}|${value}`;
    else entries.push(`${name}=${value}`);
  }
  return entries;
}

/** The list for the address; `parseBrush` reads the same brush from it. */
export function toBrushList(brush: Brush): readonly string[] {
  return [...brush].flatMap(([axisId, chosen]) => {
    const name = toEscaped(axisId);
    return chosen.kind === 'values'
      ? toValueEntries(name, chosen.values)
      : [`${name}:${chosen.from ?? ''}..${chosen.to ?? ''}`];
  });
}

/** Selects on one axis; null, or a selection of nothing, clears it. Unknown axes stay. */
export function brushAxis(brush: Brush, axis: string, chosen: AxisBrush | null): Brush {
  const next = new Map(brush);
  const axisId = toShortName(axis);
  const normal = chosen && toNormal(chosen);
  if (normal) next.set(axisId, normal);
  else next.delete(axisId);
  return next;
}

/** An empty text and a number that is not finite count as missing. */
export function isMissing(value: PlotValue): boolean {
  return value === null || value === '' || (typeof value === 'number' && !Number.isFinite(value));
}

/** Whether a value is inside its axis' selection. */
export function matchesAxis(chosen: AxisBrush, value: PlotValue): boolean {
  if (chosen.kind === 'values') return chosen.values.includes(isMissing(value) ? MISSING : toShortName(String(value)));
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return (chosen.from === null || value >= chosen.from) && (chosen.to === null || value <= chosen.to);
}

/**
 * Whether a row is selected on every axis. `read` gives undefined for an unknown axis, which is ignored.
 */
export function matchesBrush(brush: Brush, read: (axisId: string) => PlotValue | undefined): boolean {
  for (const [axisId, chosen] of brush) {
    const value = read(axisId);
    if (value !== undefined && !matchesAxis(chosen, value)) return false;
  }
  return true;
}
