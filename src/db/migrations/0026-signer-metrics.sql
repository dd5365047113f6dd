-- What miners proposed and how signers responded, out of the StackerDB chunks of a node. These tables have no height: they
-- depend on the messages alone, and `answered` and `blocks` on the canonical chain. Times are Unix milliseconds of the first
-- arrival at an observer. A slot is the position of a signer in the signer set of its cycle, ordered by key.

create table signer_proposals (
  received bigint not null,
  time bigint not null,           -- Unix seconds, from the header of the block
  cycle int not null,
  height int not null,
  burn_height int not null,
  hash bytea not null primary key,
  index_hash bytea not null
);
create index signer_proposals_received on signer_proposals (received, hash);      -- newest proposals
create index signer_proposals_cycle on signer_proposals (cycle, received);        -- proposals of a part of a cycle

-- The first response of a signer to a proposal, which may arrive before the proposal.
create table signer_responses (
  received bigint not null,
  signature bigint not null,      -- 8 bytes of the signature
  version bigint not null,        -- signer_texts, 0 where the message had none
  reason bigint not null,         -- signer_texts, 0 when none
  slot smallint not null,
  parity smallint not null,       -- cycle modulo 2
  code smallint not null,         -- src/codec/signer-message/reject-codes.ts; -1 when none
  detail smallint not null,
  validation smallint not null,
  accepted boolean not null,
  hash bytea not null,
  primary key (hash, parity, slot)
);

-- Blocks that were pushed with enough signatures.
create table signer_pushes (
  received bigint not null,
  hash bytea not null primary key
);

-- Versions of signers and reasons of rejections.
create table signer_texts (
  id bigint not null primary key, -- 8 bytes of the SHA-256 of the text
  text text not null
);

-- Proposals of a cycle by the hour of their arrival (Unix hours).
create table signer_hours (
  cycle int not null,
  hour int not null,
  proposals int not null,
  blocks int not null,            -- those that are canonical blocks
  stale boolean not null,         -- its figures are counted again in this transaction
  pruned boolean not null,        -- its proposals and responses were removed by age
  primary key (cycle, hour)
);
create index signer_hours_stale on signer_hours (cycle, hour) where stale;        -- what is counted again

-- Responses to these proposals by signer.
create table signer_totals (
  response_ms bigint not null,    -- sum of the times from the proposal to the response
  last_received bigint not null,
  last_version bigint not null,   -- signer_texts, of the last response
  cycle int not null,
  hour int not null,
  accepted int not null,
  rejected int not null,
  answered int not null,          -- responses to canonical blocks
  slot smallint not null,
  primary key (cycle, slot, hour)
);
create index signer_totals_hour on signer_totals (cycle, hour);                   -- counting an hour again

-- Which proposals a step of the fold changed, for those who follow the journal.
create table signer_changes (
  seq bigint not null,            -- number of the journal row
  hash bytea not null,
  primary key (seq, hash)
);
