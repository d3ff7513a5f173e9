// The tables of migrations/0012 for drizzle.
import { bigint, boolean, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { SCHEMA } from '#service/database/tables.ts';

const schema = pgSchema(SCHEMA);
const moment = () => timestamp({ withTimezone: true, mode: 'date' });

export const tokens = schema.table('tokens', {
  name: text().primaryKey(),
  hash: text().notNull(),
  is_read_only: boolean().notNull(),
  created_at: moment().notNull(),
});

export const activity = schema.table('activity', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: moment().notNull(),
  actor: text(),
  method: text().notNull(),
  route: text().notNull(),
  path: text().notNull(),
  node_id: uuid(),
  is_certain: boolean().notNull().default(true),
});
