import { parsePrincipal } from '@cairn-stacks/codec/address/principal';
import { bool, ok, principal, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { toHex } from '@cairn-stacks/codec/hex';
import { itemNumber } from '../contracts/token-contract.ts';
import type { Random } from '../random.ts';
import { accountAt } from './account.ts';
import type { BurnAction } from './action.ts';
import type { BranchState } from './branch-state.ts';
import type { BurnBlock } from './burn-chain.ts';
import { type CostJson, type Executed, freeOfCost } from './executed.ts';
import { type BlockContext, lockEffects, poxContract, rejected } from './execution.ts';

const rewardAddress = 'mqVnk6NPRdhntvfm4hh9vvjiRkFDUuSYsH';
const largest = (1n << 128n) - 1n;
const cost: CostJson = { runtime: 9_000, read_count: 4, read_length: 900, write_count: 1, write_length: 60 };

/** Runs an operation of a Bitcoin transaction: no Stacks bytes, no fee, no nonce. */
export function executeBurnAction(
  action: BurnAction,
  state: BranchState,
  where: BlockContext,
  { burn, position, random }: { burn: BurnBlock; position: number; random: Random },
): Executed {
  const sender = accountAt(action.from, where.network.mainnet).address;
  const txId = toHex(random.bytes(32));
  const common = {
    burn_block_height: burn.height,
    burn_header_hash: burn.hash.slice(2),
    burn_txid: txId.slice(2),
    vtxindex: position + 1,
    sender: addressObject(sender),
  };
  const executed: Executed = {
    txId,
    raw: '0x00',
    status: 'success',
    result: encodeClarity(ok(bool(true))),
    events: [],
    uncommitted: [],
    contractInterface: null,
    burnOperation: null,
    cost,
    vmError: null,
    fee: 0n,
  };
  switch (action.kind) {
    case 'transfer_stx': {
      const memo = new TextEncoder().encode(action.memo ?? '');
      executed.events = [{ kind: 'stx_transfer', sender, recipient: action.to, amount: action.amount, memo }];
      executed.cost = freeOfCost;
      executed.burnOperation = {
        transfer_stx: {
          ...common,
          recipient: addressObject(action.to),
          transfered_ustx: action.amount,
          memo: toHex(memo),
        },
      };
      break;
    }
    case 'stack_stx': {
      if (action.rejected) {
        executed.status = 'abort_by_response';
        executed.result = rejected;
      } else {
        const effects = lockEffects(sender, action.amount, action.cycles, where);
        executed.events = effects.events;
        executed.result = encodeClarity(ok(effects.result));
      }
      executed.burnOperation = {
        stack_stx: {
          ...common,
          stacked_ustx: action.amount,
          num_cycles: action.cycles,
          reward_addr: rewardAddress,
          ...(where.release.nakamoto && { signer_key: '02'.repeat(33), max_amount: largest, auth_id: 12 }),
        },
      };
      break;
    }
    case 'delegate_stx': {
      const notice = tuple({
        name: stringAscii('delegate-stx'),
        stacker: principal(sender),
        data: tuple({ 'amount-ustx': uint(action.amount), 'delegate-to': principal(action.to) }),
      });
      executed.events = [{ kind: 'print', contract: poxContract(where), value: encodeClarity(ok(notice)) }];
      executed.burnOperation = {
        delegate_stx: {
          ...common,
          delegate_to: addressObject(action.to),
          delegated_ustx: action.amount,
          reward_addr: [1, rewardAddress],
          until_burn_height: action.untilBurnHeight ?? null,
        },
      };
      break;
    }
  }
  state.apply(executed.events, itemNumber);
  return executed;
}

function addressObject(address: string) {
  const { version, hash } = parsePrincipal(address);
  return { address, address_hash_bytes: toHex(hash), address_version: version };
}
