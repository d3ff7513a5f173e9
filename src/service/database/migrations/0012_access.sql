-- Named tokens beside the studio's own. Only a hash is kept, so that nobody who reads the database can sign in.
create table studio.tokens (
  name text primary key,
  hash text not null unique,
  is_read_only boolean not null,
  created_at timestamptz not null
);

-- Who changed what. The service removes the oldest entries.
create table studio.activity (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- The name of the token; null: the studio's own token, which is the owner's.
  actor text,
  method text not null,
  -- The route, as in the API's description, and the path that was asked for.
  route text not null,
  path text not null
);
