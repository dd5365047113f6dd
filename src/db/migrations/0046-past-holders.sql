-- Who held what at any height: candidates in an order that never changes. Their balances are one seek each.

-- The block after which a principal was first listed among the holders of an asset (0 is STX), if with nothing.
create table asset_holders (
  asset int not null,
  height int not null,
  principal int not null,
  primary key (asset, height, principal)
);
insert into asset_holders (asset, height, principal)
select 0, min(b.height), b.principal
from stx_balances b
group by b.principal;
insert into asset_holders (asset, height, principal)
select b.asset, min(b.height), b.principal
from ft_balances b
group by b.asset, b.principal;
insert into asset_holders (asset, height, principal)
select b.asset, min(b.height), b.principal
from nft_balances b
group by b.asset, b.principal;
create index asset_holders_height on asset_holders using brin (height) with (pages_per_range = 16); -- rollback

-- NFTs of a principal after a past block: of those that ever came to it, the ones whose last move before was to it.
create index nft_history_recipient on nft_history (recipient, asset, value) where recipient <> 0;
