-- Trainings that this studio runs. What changes with every step is here and not in the experiments: a change of those makes
-- every reader of a tree read it again.
create table studio.trainings (
  experiment_id uuid primary key references studio.experiments (id) on delete cascade,
  training_type text not null check (training_type in ('full', 'lora', 'qlora')),
  refinetune_from uuid references studio.experiments (id) on delete set null,
  seed integer not null,
  -- Place in the queue, the smallest first; null: it does not wait.
  position double precision,
  -- Why it has its status, where that is not the same for all that wait.
  reason text,
  -- What a person wants of a run that is being trained.
  wish text check (wish in ('cancel', 'stop')),
  -- A process trains it until its lease ends. It renews the lease; another process may take it over afterwards.
  owner text,
  lease_until timestamptz,
  -- How often it was begun since its last checkpoint.
  attempts integer not null default 0,
  can_resume boolean not null default false,
  step integer not null default 0,
  steps integer,
  seconds_left double precision,
  tokens_per_step double precision,
  rows_cut integer,
  rows_left_out integer,
  -- Every n-th step is kept.
  stride integer not null default 1,
  -- Seconds of training, without the time between attempts.
  seconds double precision not null default 0,
  log_size bigint not null default 0,
  started_at timestamptz,
  ended_at timestamptz
);
create index trainings_in_queue on studio.trainings (position) where position is not null;
create index trainings_leased on studio.trainings (lease_until) where owner is not null;

-- NaN where a loss was not a finite number.
create table studio.training_points (
  experiment_id uuid not null references studio.trainings (experiment_id) on delete cascade,
  step integer not null,
  at timestamptz not null,
  loss double precision not null,
  epoch double precision,
  learning_rate double precision,
  gradient_norm double precision,
  tokens_per_second double precision,
  primary key (experiment_id, step)
);

create table studio.training_validations (
  experiment_id uuid not null references studio.trainings (experiment_id) on delete cascade,
  step integer not null,
  at timestamptz not null,
  loss double precision,
  exact_match double precision,
  answers jsonb not null,
  primary key (experiment_id, step)
);

create table studio.training_checkpoints (
  experiment_id uuid not null references studio.trainings (experiment_id) on delete cascade,
  step integer not null,
  at timestamptz not null,
  model_id text,
  primary key (experiment_id, step)
);

-- Parts of a log by the place where they begin, counted in UTF-16 units as in JavaScript.
create table studio.training_logs (
  experiment_id uuid not null references studio.trainings (experiment_id) on delete cascade,
  starts_at bigint not null,
  body text not null,
  primary key (experiment_id, starts_at)
);

-- Requests that make a job at most once.
create table studio.job_requests (
  key text primary key,
  digest text not null,
  job_id uuid not null references studio.jobs (id) on delete cascade,
  created_at timestamptz not null
);
create index job_requests_by_job on studio.job_requests (job_id);
