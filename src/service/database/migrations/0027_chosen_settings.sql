-- What somebody chose of a training beside epochs, batch and learning rate; the rest is the trainer's own.
alter table studio.trainings add column chosen jsonb not null default '{}';
