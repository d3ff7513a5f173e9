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

-- Runs that are trained now. A worker knows its run by the lease's id.
insert into studio.leases (kind, id, until, detail)
  select 'training', experiment_id, clock_timestamp() + interval '15 seconds',
    case when lease_id is not null then jsonb_build_object('lease_id', lease_id, 'machine', substr(owner, 38)) end
  from studio.trainings where owner is not null;
-- On a shared database a service of an older version may still run. It hears that its runs are lost and ends its trainers before
-- these leases are over; the constraint, whose name is what it reports, keeps it from taking others. The columns stay for it.
update studio.trainings set owner = null, lease_until = null, lease_id = null;
alter table studio.trainings add constraint a_newer_model_studio_trains_on_this_database check (owner is null);

-- Imports of files. A service of an older version removes those that look dead to it, which these never do.
insert into studio.leases (kind, id, until)
  select 'import', dataset_id, clock_timestamp() + interval '60 seconds' from studio.imports;
alter table studio.imports alter column beat_at set default 'infinity';

-- Imports of projects. The table stays for a service of an older version.
insert into studio.leases (kind, id, until)
  select 'transfer', project_id, clock_timestamp() + interval '60 seconds' from studio.transfers;

-- Services say anew what they have, every 20 s.
drop table studio.services;
