-- How long an answer took is unknown of some that are imported, and then of their model.
alter table studio.evaluation_answers alter column ms drop not null;
alter table studio.evaluation_run_models alter column ms drop not null;
