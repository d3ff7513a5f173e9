-- What a run takes of its machine is kept with its steps, as further curves: nothing was ever stored here.
drop table studio.training_usage;
