-- Runs that an existing cluster places: the launcher that was chosen, and its one job of a run at a time.
alter table studio.trainings add column launcher text;
-- How often its end was told to the webhook in vain; null: there is nothing to tell.
alter table studio.trainings add column untold integer;
create index trainings_untold on studio.trainings (untold) where untold is not null;

create table studio.launches (
  experiment_id uuid primary key references studio.trainings (experiment_id) on delete cascade,
  -- Our name of the job, chosen before it is submitted: what is submitted twice is one job.
  id text not null unique,
  launcher text not null,
  -- placing: whether the launcher has it is not known. placed: it said so. over: nothing of it is left.
  state text not null check (state in ('placing', 'placed', 'over')),
  -- Of the token that its worker has, and of a code that gives one, once. Both are worth nothing after the run.
  token_hash text unique,
  claim_hash text unique,
  -- The launcher's own number.
  job text,
  -- What the launcher said of it last.
  said jsonb not null,
  -- Characters of its log that are in the log of the run.
  log_at bigint not null default 0,
  -- How often the run was placed again by itself since a person started it.
  resumes integer not null default 0,
  placed_at timestamptz not null,
  -- Since when it is wanted to end.
  ends_at timestamptz
);
create index launches_open on studio.launches (launcher) where state <> 'over';

-- What the process of a run takes of its machine. Bytes, and a share from 0 to 1.
create table studio.training_usage (
  experiment_id uuid not null references studio.trainings (experiment_id) on delete cascade,
  at timestamptz not null,
  memory double precision,
  gpu double precision,
  gpu_memory double precision,
  primary key (experiment_id, at)
);
