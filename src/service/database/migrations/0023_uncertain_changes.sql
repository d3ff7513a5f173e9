-- Whether it is known that the change was made: of one that the database answered too late, it is not.
alter table studio.activity add column is_certain boolean not null default true;
