// Axes for the tests of this folder. It must not be imported by the product.
import { toAxis, type CategoryAxis, type ColumnKind, type NumberAxis, type PlotAxis } from './axes.ts';
import type { PlotValue } from './brush.ts';

function axisOf(kind: ColumnKind, id: string, values: readonly PlotValue[]): PlotAxis {
  const axis = toAxis(values, { id, label: id, kind, read: (value) => value }, false);
  if (!axis) throw new Error('No value, no axis.');
  return axis;
}

export function numberAxis(kind: 'rate' | 'count' | 'number', id: string, ...values: readonly PlotValue[]): NumberAxis {
  const axis = axisOf(kind, id, values);
  if (axis.kind !== 'number') throw new Error('Texts make no number axis.');
  return axis;
}

export function categoryAxis(id: string, ...values: readonly PlotValue[]): CategoryAxis {
  const axis = axisOf('category', id, values);
  if (axis.kind !== 'category') throw new Error('A category axis was meant.');
  return axis;
}
