-- The node that a change is about where its path does not name it: it was made by the change. null: look in the path.
alter table studio.activity add column node_id uuid;
