-- What this database has put into a data folder: the files of models, and the folders of runs. A folder has an id in a file
-- of its own, because services on one database may have several of them. Once nothing needs a file it is removed by a
-- service that has its folder, and its record with it. What has no record belongs to somebody else.
create table studio.kept_files (
  folder uuid not null,
  -- `models/ft-base-1a2b3c4d.gguf`, `training/<id of the run>`
  path text not null,
  experiment_id uuid not null,
  primary key (folder, path)
);
