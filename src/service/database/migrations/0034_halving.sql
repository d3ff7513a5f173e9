-- A run whose job stops poor candidates early: how, and where it is measured next. null: its job trains all to the end.
alter table studio.trainings add column halving jsonb;
