-- Deposits of at least an amount: the few large ones are found without reading the others.
create index sbtc_deposits_amount on sbtc_deposits (registry, amount);
