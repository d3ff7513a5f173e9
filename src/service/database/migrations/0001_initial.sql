-- The studio's own records. Everything lives in one schema, so that a shared PostgreSQL keeps its other tables apart.

create table studio.projects (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null
);

create table studio.datasets (
  id uuid primary key,
  project_id uuid not null references studio.projects (id) on delete cascade,
  position integer not null,
  label text not null,
  status text not null check (status in ('processing', 'completed', 'failed')),
  datapoints_count integer not null,
  created_at timestamptz not null
);
create index datasets_by_project on studio.datasets (project_id);

-- One chat row per line, as it was imported. Rows are only ever added, so a snapshot is "the rows before a position".
create table studio.dataset_rows (
  dataset_id uuid not null references studio.datasets (id) on delete cascade,
  position integer not null,
  bucket text not null check (bucket in ('training', 'validation')),
  body text not null,
  primary key (dataset_id, position)
);

create table studio.snapshots (
  id uuid primary key,
  dataset_id uuid not null references studio.datasets (id) on delete cascade,
  position integer not null,
  label text not null,
  rows_end integer not null,
  training_count integer not null,
  validation_count integer not null,
  created_at timestamptz not null
);
create index snapshots_by_dataset on studio.snapshots (dataset_id);

create table studio.jobs (
  id uuid primary key,
  snapshot_id uuid not null references studio.snapshots (id) on delete cascade,
  position integer not null,
  label text not null,
  status text not null check (status in ('processing', 'completed', 'failed')),
  reasoning boolean not null,
  created_at timestamptz not null
);
create index jobs_by_snapshot on studio.jobs (snapshot_id);

-- The requested hyperparameters, and the results of the run.
create table studio.experiments (
  id uuid primary key,
  job_id uuid not null references studio.jobs (id) on delete cascade,
  experiment_number integer not null,
  label text not null,
  status text not null
    check (status in ('pending', 'queued', 'running', 'deploying', 'succeeded', 'failed', 'deleted')),
  base_model_id text not null,
  model_id text,
  lora boolean not null,
  n_epochs integer not null,
  batch_size integer not null,
  learning_rate_multiplier double precision not null,
  steps integer,
  seconds double precision,
  first_loss double precision,
  last_loss double precision,
  held_out jsonb,
  failure text,
  created_at timestamptz not null
);
create index experiments_by_job on studio.experiments (job_id, experiment_number);

create table studio.models (
  id text primary key,
  position integer not null,
  experiment_id uuid references studio.experiments (id) on delete cascade,
  file text not null,
  adapter text,
  aliases jsonb not null,
  owned_by text not null,
  about text not null,
  examples jsonb,
  created_at timestamptz not null
);

create table studio.recommendations (
  snapshot_id uuid primary key references studio.snapshots (id) on delete cascade,
  status text not null check (status in ('processing', 'completed', 'failed')),
  job_id uuid not null,
  attempts integer not null,
  error text,
  body jsonb,
  started_at timestamptz not null,
  finished_at timestamptz
);

-- Which edition of the sample project the records come from; no row when it was never loaded.
create table studio.samples (
  project_id uuid primary key references studio.projects (id) on delete cascade,
  digest text not null
);

-- Counts every statement that changes a tree, so that an unchanged tree need not be read again. A row, not a
-- sequence, so that the new number becomes visible together with its change.
create table studio.tree_revision (
  is_only boolean primary key default true check (is_only),
  number bigint not null
);
insert into studio.tree_revision (number) values (0);

create function studio.count_tree_change() returns trigger language plpgsql as $$
begin
  update studio.tree_revision set number = number + 1;
  return null;
end $$;

create trigger tree_change after insert or update or delete or truncate on studio.projects
  for each statement execute function studio.count_tree_change();
create trigger tree_change after insert or update or delete or truncate on studio.datasets
  for each statement execute function studio.count_tree_change();
create trigger tree_change after insert or update or delete or truncate on studio.snapshots
  for each statement execute function studio.count_tree_change();
create trigger tree_change after insert or update or delete or truncate on studio.jobs
  for each statement execute function studio.count_tree_change();
create trigger tree_change after insert or update or delete or truncate on studio.experiments
  for each statement execute function studio.count_tree_change();
