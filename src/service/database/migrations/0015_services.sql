-- The services that share this database, and the models that each of them has. A service renews its row; one that is a
-- minute old belongs to a service that has ended.
create table studio.services (
  id uuid primary key,
  name text not null,
  models text[] not null,
  seen_at timestamptz not null
);
