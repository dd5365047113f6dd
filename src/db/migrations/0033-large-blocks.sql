-- Block 1 has a transaction with an event for each account that the chain began with: its events by their index.
create index events_genesis_index on events (place, event_index) where height = 1;
