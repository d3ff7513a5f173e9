-- What one of several services does at a time: who does it, until when, by the clock of this database alone.
create table studio.leases (
  kind text not null,
  id uuid not null,
  -- Host and process, for people. null: left to the next who asks.
  owner text,
  -- Another number for each taking. The index makes it a key of the row: a take-over waits for whoever has locked the row
  -- `for key share`, a renewal does not.
  fence bigserial not null unique,
  until timestamptz not null,
  detail jsonb,
  primary key (kind, id)
);
