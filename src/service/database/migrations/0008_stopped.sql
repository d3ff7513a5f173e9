-- The contract has a status for runs that ended nobody knows how. No run of this database has it yet; a later import may.
alter table studio.jobs drop constraint jobs_status_check,
  add constraint jobs_status_check check (status in ('processing', 'completed', 'failed', 'stopped'));
alter table studio.experiments drop constraint experiments_status_check,
  add constraint experiments_status_check
    check (status in ('pending', 'queued', 'running', 'deploying', 'succeeded', 'failed', 'stopped', 'deleted'));
