-- The name of the token that asked for a run: one caller can't take all places of the queue. null: the studio's own.
alter table studio.trainings add column asked_by text;
