-- Chats of a project that were too large to be kept as traces.
alter table studio.trace_settings add column left_out integer not null default 0;
