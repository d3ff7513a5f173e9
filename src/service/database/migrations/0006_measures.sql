-- A run's score stands beside its base model's, and a dataset has a measure that decides.
alter table studio.datasets add column main_measure text;
alter table studio.snapshots add column answer_shape text;
alter table studio.experiments add column held_out_base jsonb;
alter table studio.experiments add column settings jsonb;
-- Recommendations of earlier versions took the mean of all measures, exact match of free text among them, and had nothing to
-- train elsewhere. They are computed again on the next request.
delete from studio.recommendations;
