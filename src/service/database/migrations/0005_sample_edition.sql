-- Editions have an order: when two versions of the product share a database, the older one leaves the sample as it is.
alter table studio.samples add column edition integer not null default 0;
