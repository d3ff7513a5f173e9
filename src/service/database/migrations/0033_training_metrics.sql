-- Curves beside the loss, such as the rewards of preference training. null: the trainer told none.
alter table studio.training_points add column metrics jsonb;
alter table studio.training_validations add column metrics jsonb;
