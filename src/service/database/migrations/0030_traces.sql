-- Traces: what models were asked and answered, with a score and feedback. Those of one project, model and band of the score are
-- a group, which has their number, so that a list of a million needs no count.
create table studio.trace_groups (
  id integer generated always as identity primary key,
  project_id uuid,
  model_id text not null,
  band text not null,
  traces integer not null
);
create unique index trace_groups_key on studio.trace_groups (
  coalesce(project_id, '00000000-0000-0000-0000-000000000000'), model_id, band
);

create table studio.traces (
  id uuid primary key,
  position bigint generated always as identity,
  group_id integer not null,
  created_at timestamptz not null,
  input text not null,
  output text not null,
  messages text,
  score double precision,
  feedback text,
  processing text not null,
  reason text,
  attempts smallint not null,
  dataset_id uuid,
  row_position integer
);
create index traces_by_time on studio.traces (group_id, position);
create index traces_by_score on studio.traces (group_id, score, position);
create unique index traces_position on studio.traces (position);
create index traces_waiting on studio.traces (position) where processing = 'processing';

-- What a project does with traces. No row: chats are not kept, traces stay, and any teacher corrects.
create table studio.trace_settings (
  project_id uuid primary key,
  keeps_chats boolean not null,
  keep_days integer,
  corrector text
);
