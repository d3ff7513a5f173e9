// Records of a project's file as rows of its tables, and back. Pure.
import type { PgColumn } from 'drizzle-orm/pg-core';
import type * as z from 'zod/mini';
import { columnsOf, KINDS, placeOf, type RecordOf, type TableKind } from './records.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A date as text, and a number that JSON has no word for as its name. */
function toField(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function toFields(schema: z.core.$ZodType, row: Fields, more: Fields): Fields {
  const names = Object.keys((schema as z.core.$ZodObject)._zod.def.shape);
  return Object.fromEntries(names.map((name) => [name, name in more ? more[name] : toField(row[name])]));
}

/** Rows of one parent -> their record. `more`: fields that are no columns, or say something else in a file. */
export function toRecord<Kind extends TableKind>(
  kind: Kind,
  rows: readonly Fields[],
  more: Partial<RecordOf<Kind>> = {},
): RecordOf<Kind> {
  const { list } = placeOf(kind);
  const { schema } = KINDS[kind];
  const [first = {}] = rows;
  const own: Fields = { kind, ...more };
  if (list === undefined) return toFields(schema, first, own) as RecordOf<Kind>;
  const { element } = ((schema.shape as Fields)[list] as z.core.$ZodArray)._zod.def;
  return toFields(schema, first, { ...own, [list]: rows.map((row) => toFields(element, row, {})) }) as RecordOf<Kind>;
}

function toValue(column: PgColumn, value: unknown, toId: (id: string) => string): unknown {
  if (value === null) return null;
  if (column.dataType === 'date') return new Date(String(value));
  const type = column.getSQLType();
  if (type === 'uuid') return toId(String(value));
  return type === 'double precision' ? Number(value) : value;
}

/** A record -> rows of its table. Fields that are no columns are left out. `toId`: the id of a node here. */
export function toRows(record: RecordOf<TableKind>, toId: (id: string) => string): Record<string, unknown>[] {
  const { list, parent } = placeOf(record.kind);
  const columns = columnsOf(record.kind);
  const given: Fields = record;
  const rows = list === undefined ? [given] : (given[list] as readonly Fields[]);
  const of = list !== undefined && parent ? [[parent.field, given[parent.field]]] : [];
  return rows.map((row) =>
    Object.fromEntries(
      [...of, ...Object.entries(row)].flatMap(([name, value]) => {
        const column = columns[String(name)];
        return column ? [[name, toValue(column, value, toId)]] : [];
      }),
    ),
  );
}
