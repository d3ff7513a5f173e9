-- Evaluations: rows, what is asked of them, checks and models.
create table studio.evaluations (
  id uuid primary key,
  project_id uuid not null references studio.projects (id) on delete cascade,
  dataset_id uuid references studio.datasets (id) on delete set null,
  name text not null,
  is_default boolean not null,
  revision integer not null,
  version integer not null,
  models jsonb not null,
  repeats integer not null,
  baseline text,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
create index evaluations_by_project on studio.evaluations (project_id);
create unique index evaluations_default on studio.evaluations (dataset_id) where is_default;

-- The rows of one or more versions. They never change.
create table studio.evaluation_row_sets (
  id uuid primary key,
  evaluation_id uuid not null references studio.evaluations (id) on delete cascade,
  source jsonb not null,
  row_count integer not null,
  -- For each tag its values, and for each row the place of its value, as JSON.
  tags text not null
);
create index evaluation_row_sets_by_evaluation on studio.evaluation_row_sets (evaluation_id);

-- JSON texts of rows, one a line, compressed.
create table studio.evaluation_row_blocks (
  row_set_id uuid not null references studio.evaluation_row_sets (id) on delete cascade,
  first_position integer not null,
  body bytea not null,
  primary key (row_set_id, first_position)
);
alter table studio.evaluation_row_blocks alter column body set storage external;

-- Checks and settings are JSON as text, which can hold what jsonb refuses.
create table studio.evaluation_versions (
  evaluation_id uuid not null references studio.evaluations (id) on delete cascade,
  version integer not null,
  row_set_id uuid not null references studio.evaluation_row_sets (id) on delete cascade,
  prompt text,
  system text,
  checks text not null,
  settings text not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (evaluation_id, version)
);

create table studio.evaluation_runs (
  id uuid primary key,
  evaluation_id uuid not null references studio.evaluations (id) on delete cascade,
  number integer not null,
  version integer not null,
  checks_version integer not null,
  status text not null check (status in ('queued', 'running', 'waiting', 'completed', 'cancelled', 'failed')),
  reason text,
  -- The experiment whose end has started it; null: a person.
  experiment_id uuid references studio.experiments (id) on delete set null,
  cause text not null check (cause in ('person', 'training')),
  repeats integer not null,
  baseline text not null,
  row_count integer not null,
  created_at timestamptz not null,
  created_by text not null,
  queued_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  unique (evaluation_id, number)
);
create index evaluation_runs_active on studio.evaluation_runs (queued_at) where status in ('queued', 'running', 'waiting');

-- What changes with each answer is counted here.
create table studio.evaluation_run_models (
  run_id uuid not null references studio.evaluation_runs (id) on delete cascade,
  place smallint not null,
  model text not null,
  fingerprints jsonb not null default '[]',
  done integer not null default 0,
  failed integer not null default 0,
  prompt_tokens bigint not null default 0,
  completion_tokens bigint not null default 0,
  ms double precision not null default 0,
  judged integer not null default 0,
  rate jsonb,
  primary key (run_id, place)
);

create table studio.evaluation_answers (
  run_id uuid not null references studio.evaluation_runs (id) on delete cascade,
  model smallint not null,
  position integer not null,
  repeat smallint not null,
  -- Why there is no answer.
  error text,
  text text not null,
  reasoning text,
  calls text,
  finish_reason text,
  prompt_tokens integer,
  completion_tokens integer,
  ms real not null,
  -- SHA-256 of the request, which row, version, model and repeat give back.
  request_hash bytea not null,
  primary key (run_id, model, position, repeat)
);

-- Verdicts of one check on the answers of one model to some rows: a letter for each answer (p, f, n, or a space where there is
-- none), and as JSON by their places scores that are neither 0 nor 1, and reasons.
create table studio.evaluation_verdicts (
  run_id uuid not null references studio.evaluation_runs (id) on delete cascade,
  scorer text not null,
  model smallint not null,
  first_position integer not null,
  outcomes text not null,
  scores text,
  reasons text,
  primary key (run_id, scorer, model, first_position)
);
