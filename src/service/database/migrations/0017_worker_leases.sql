-- The lease by which a worker knows its run. Whichever service gets its next request finds the run by it.
alter table studio.trainings add column lease_id uuid;
create unique index trainings_lease on studio.trainings (lease_id) where lease_id is not null;
