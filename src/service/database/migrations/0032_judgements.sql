-- What people say of answers: of one whether it passes, of two to one row which is better. One of each person and item.
create table studio.evaluation_judgements (
  run_id uuid not null references studio.evaluation_runs (id) on delete cascade,
  kind text not null check (kind in ('pair', 'rating')),
  position integer not null,
  repeat smallint not null,
  -- Places of models of the run, the lower one first. Of a rating -1 is the second.
  first_model smallint not null,
  second_model smallint not null,
  -- The name of the token, empty for the studio's own.
  rater text not null,
  outcome text not null check (outcome in ('pass', 'fail', 'first', 'second', 'tie')),
  comment text,
  -- How the answer should have been.
  correction text,
  at timestamptz not null,
  primary key (run_id, kind, position, repeat, first_model, second_model, rater)
);
