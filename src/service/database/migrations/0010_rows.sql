-- Rows in deflated blocks, because a row for each line made imports of a million rows slow. Code moves the rows of
-- dataset_rows into blocks when the studio opens, and drops that table then (rows/moveRows.ts).
create table studio.row_blocks (
  dataset_id uuid not null,
  first_position integer not null,
  row_count integer not null check (row_count > 0),
  body bytea not null,
  -- The pieces of three letters that its rows hold, as bits.
  grams bytea not null,
  primary key (dataset_id, first_position)
);
-- Both are compressed already, or can't be.
alter table studio.row_blocks alter column body set storage external, alter column grams set storage external;

-- No foreign key: a file may be sent before the name of its project. Blocks go with their dataset.
create function studio.delete_row_blocks() returns trigger language plpgsql as $$
begin
  delete from studio.row_blocks where dataset_id = old.id;
  return null;
end $$;
create trigger delete_blocks after delete on studio.datasets
  for each row execute function studio.delete_row_blocks();

-- What people did to rows. The rows themselves never change.
create table studio.row_marks (
  dataset_id uuid not null references studio.datasets (id) on delete cascade,
  position integer not null,
  is_set_aside boolean not null,
  tags jsonb not null,
  -- The row as it was mended, with the hash of its content.
  mended text,
  mended_hash text,
  primary key (dataset_id, position)
);

-- A byte a row (0: not in the snapshot, 1: training, 2: validation) and the texts of mended rows; both deflated, in base64.
create table studio.snapshot_rows (
  snapshot_id uuid primary key references studio.snapshots (id) on delete cascade,
  sides text not null,
  mended text
);

-- Imports that run. What a process leaves behind is removed when its heart has stopped.
create table studio.imports (
  dataset_id uuid primary key,
  project_id uuid,
  name text not null,
  bytes bigint not null default 0,
  total bigint,
  row_count integer not null default 0,
  is_cancelled boolean not null default false,
  started_at timestamptz not null,
  beat_at timestamptz not null
);

alter table studio.projects add column goal text, add column deleted_at timestamptz;
alter table studio.datasets
  add column deleted_at timestamptz,
  add column form text,
  -- SHA-256 of the file.
  add column digest text,
  add column bad_line_count integer not null default 0,
  -- JSON objects, one a line, deflated, in base64.
  add column bad_lines text;
create index datasets_by_digest on studio.datasets (digest) where digest is not null;
alter table studio.snapshots add column deleted_at timestamptz;
alter table studio.jobs add column deleted_at timestamptz;
alter table studio.experiments add column deleted_at timestamptz;
