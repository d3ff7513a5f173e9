-- What rows and answers of evaluations take, so that a studio can bound it.
alter table studio.evaluation_row_sets add column bytes bigint not null default 0;
alter table studio.evaluation_run_models add column bytes bigint not null default 0;
update studio.evaluation_row_sets s set bytes = (
  select coalesce(sum(octet_length(b.body)), 0) from studio.evaluation_row_blocks b where b.row_set_id = s.id
);
update studio.evaluation_run_models m set bytes = (
  select coalesce(sum(octet_length(a.text) + coalesce(octet_length(a.reasoning), 0) + coalesce(octet_length(a.calls), 0)), 0)
  from studio.evaluation_answers a where a.run_id = m.run_id and a.model = m.place
);
