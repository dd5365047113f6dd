-- Migration 0022 counted who has more than nothing of STX and fungible tokens, but not of NFTs that were folded before it. The holders of
-- NFTs are those that hold some.
update asset_totals t
set funded = t.holders
where t.funded <> t.holders
  and exists (select 1 from nft_balances b where b.asset = t.asset);
