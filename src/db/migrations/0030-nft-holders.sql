-- Who holds how many NFTs of a class, ranked, as `holders` has it for other tokens.
create table nft_holders (
  asset int not null,
  principal int not null,
  balance numeric not null
);
create unique index nft_holders_rank on nft_holders (asset, balance, principal); -- holders of a class, most first

insert into nft_holders (asset, principal, balance)
select b.asset, b.principal, coalesce(b.received, 0) - coalesce(b.sent, 0)
from (
  select distinct on (b.principal, b.asset) b.principal, b.asset, b.sent, b.received
  from nft_balances b
  where b.height <= (select p.height from fold_position p) -- not of unconfirmed microblocks
  order by b.principal, b.asset, b.height desc
) b;

-- Transfers, mints and burns of a class of NFTs, newest first.
create index events_nft on events (asset, height, place, event_index) where kind in (8, 9, 10);
