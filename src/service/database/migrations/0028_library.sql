-- With whose token a note was changed last: the name of the token, empty for the studio's own, null where it is not known.
alter table studio.notes add column updated_by text;

-- What people keep for all who use the studio, and that is of no node: presets and training examples.
create table studio.library (
  kind text not null,
  id text not null,
  name text,
  content text not null,
  revision integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (kind, id)
);
