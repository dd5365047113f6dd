-- Transfers, mints and burns of a fungible token, newest first.
create index events_ft on events (asset, height, place, event_index) where kind in (5, 6, 7);
