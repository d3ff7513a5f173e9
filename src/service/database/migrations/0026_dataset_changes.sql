-- When a row was added or marked last; null: never.
alter table studio.datasets add column updated_at timestamptz;
