-- What the values look like that each contract has printed. The tables start empty: `cairn rebuild` counts what was folded before.

-- The shapes of its prints in the order of the first of each, which is at (height, place, event_index); at most 100 a contract.
create table print_shapes (
  shape bigint not null,          -- the first 8 bytes of the SHA-256 of topic and fields
  contract int not null,
  height int not null,
  event_index int not null,
  number int not null,            -- 1, 2, 3, … of its contract
  place smallint not null,
  topic bytea,                    -- UTF-8; null where the prints name none
  fields text not null,           -- lines of a path and a type, as src/chain/print-shape.ts writes them
  primary key (contract, height, number)
);
create index print_shapes_height on print_shapes using brin (height) with (pages_per_range = 16);             -- rollback

-- How often a contract has printed a shape, after each block in which it did.
create table print_shape_totals (
  shape bigint not null,
  contract int not null,
  height int not null,
  total int not null,
  primary key (contract, shape, height)
);
create index print_shape_totals_height on print_shape_totals using brin (height) with (pages_per_range = 16); -- rollback
