-- What a person noted of a node: of this studio's projects, or of runs in folders, which have no table here. So the key
-- has no foreign key.
create table studio.notes (
  node_id uuid primary key,
  name text,
  tags jsonb not null,
  is_starred boolean not null,
  is_archived boolean not null,
  body text not null,
  revision integer not null,
  updated_at timestamptz not null
);
