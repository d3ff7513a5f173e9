-- The training loss of each step as it was recorded: [[step, loss], ...]. Null where nothing was.
alter table studio.experiments add column losses jsonb;
