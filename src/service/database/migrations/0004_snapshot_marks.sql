-- Which snapshots of a tree have changed below: a reader of a large tree reads only those.
create table studio.snapshot_marks (
  snapshot_id uuid primary key,
  -- The number of tree_revision at the last change of the snapshot's jobs or their experiments.
  revision bigint not null
);

create function studio.mark_snapshots(ids uuid[]) returns void language sql as $$
  update studio.tree_revision set number = number + 1;
  insert into studio.snapshot_marks (snapshot_id, revision)
    select changed.id, tree_revision.number from unnest(ids) as changed (id), studio.tree_revision
    where changed.id is not null
    on conflict (snapshot_id) do update set revision = excluded.revision;
$$;

create function studio.mark_job_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform studio.mark_snapshots(array(select distinct snapshot_id from new_rows));
  elsif tg_op = 'DELETE' then
    perform studio.mark_snapshots(array(select distinct snapshot_id from old_rows));
  elsif tg_op = 'UPDATE' then
    perform studio.mark_snapshots(array(select snapshot_id from old_rows union select snapshot_id from new_rows));
  else
    perform studio.mark_snapshots(array(select id from studio.snapshots));
  end if;
  return null;
end $$;

create function studio.mark_experiment_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform studio.mark_snapshots(array(
      select distinct jobs.snapshot_id from new_rows join studio.jobs on jobs.id = new_rows.job_id));
  elsif tg_op = 'DELETE' then
    -- A job that was deleted with its experiments has marked its snapshot itself.
    perform studio.mark_snapshots(array(
      select distinct jobs.snapshot_id from old_rows join studio.jobs on jobs.id = old_rows.job_id));
  elsif tg_op = 'UPDATE' then
    perform studio.mark_snapshots(array(
      select jobs.snapshot_id from old_rows join studio.jobs on jobs.id = old_rows.job_id
      union select jobs.snapshot_id from new_rows join studio.jobs on jobs.id = new_rows.job_id));
  else
    perform studio.mark_snapshots(array(select id from studio.snapshots));
  end if;
  return null;
end $$;

-- PostgreSQL allows a trigger with old and new rows for only one kind of statement.
drop trigger tree_change on studio.jobs;
create trigger tree_insert after insert on studio.jobs referencing new table as new_rows
  for each statement execute function studio.mark_job_change();
create trigger tree_update after update on studio.jobs referencing old table as old_rows new table as new_rows
  for each statement execute function studio.mark_job_change();
create trigger tree_delete after delete on studio.jobs referencing old table as old_rows
  for each statement execute function studio.mark_job_change();
create trigger tree_truncate after truncate on studio.jobs
  for each statement execute function studio.mark_job_change();

drop trigger tree_change on studio.experiments;
create trigger tree_insert after insert on studio.experiments referencing new table as new_rows
  for each statement execute function studio.mark_experiment_change();
create trigger tree_update after update on studio.experiments referencing old table as old_rows new table as new_rows
  for each statement execute function studio.mark_experiment_change();
create trigger tree_delete after delete on studio.experiments referencing old table as old_rows
  for each statement execute function studio.mark_experiment_change();
create trigger tree_truncate after truncate on studio.experiments
  for each statement execute function studio.mark_experiment_change();
