-- Names of imported models come from elsewhere: they give way to those of all others, and have no aliases. A model that is
-- trained here has none either, and is called ft-, its base, and the first digits of its run.
update studio.models set owned_by = 'imported', aliases = '[]'
  where owned_by = 'studio' and (aliases <> '[]'::jsonb or id not like 'ft-%-' || left(experiment_id::text, 8) || '%');

-- What ran before says nothing of this machine.
alter table studio.projects add column imported_at timestamptz;
