-- Counts the changes that leave other rows than before: rows set aside, taken back or edited. Tags change none.
alter table studio.datasets add column marks_revision integer not null default 0;
