-- When a webhook is told again of an end, by whichever service; null: at once.
alter table studio.trainings add column tell_at timestamptz;
