-- Imports of whole projects that run. The project is hidden until all of it is there (deleted_at lies far ahead). What a
-- process leaves behind is removed when its heart has stopped.
create table studio.transfers (
  project_id uuid primary key,
  started_at timestamptz not null,
  beat_at timestamptz not null
);
