import { bool, ok, principal, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { readOutline } from '../../clarity/outline.ts';
import {
  bindOutline,
  bytesArg,
  type CallContext,
  type ContractModel,
  fail,
  fieldsIn,
  outlineSource,
  principalArg,
  uintArg,
} from '../contract-model.ts';
import type { Draft } from '../draft.ts';
import { burnt, isSigner, lockedAsset, minted, printOf, registryData, supplyWrite } from './registry-data.ts';
import { sbtcAsset } from './sbtc-address.ts';

const outline = readOutline(`
(released Epoch30 Clarity3)
(public accept-withdrawal-request ((request-id uint) (bitcoin-txid (buff 32)) (signer-bitmap uint) (output-index uint) (fee uint)
  (burn-hash (buff 32)) (burn-height uint) (sweep-txid (buff 32))) (response bool uint))
(public initiate-withdrawal-request ((amount uint) (recipient {hashbytes: (buff 32), version: (buff 1)}) (max-fee uint))
  (response uint uint))
(public reject-withdrawal-request ((request-id uint) (signer-bitmap uint)) (response bool uint))
`);

/** Bytes of a hash by the version of a recipient. */
const hashSizes = [20, 20, 20, 20, 20, 32, 32];
const hashSize = 32;
/** A withdrawal of that much or less is dust. */
const dust = 546n;

/** Withdrawals: anybody requests them, the signers accept or reject them. */
export const sbtcWithdrawalModel: ContractModel = {
  name: 'sbtc-withdrawal',
  source: outlineSource('sbtc-withdrawal', outline),
  outline,
  functions: bindOutline(outline, {
    'initiate-withdrawal-request'(context, args) {
      const [amount, maxFee] = [uintArg(args, 0), uintArg(args, 2)];
      const { mainnet, sender, state, burnHeight } = context;
      const recipient = fieldsIn(args[1]);
      const version = bytesArg([recipient!.get('version')!], 0)[0] ?? 0;
      const hash = bytesArg([recipient!.get('hashbytes')!], 0);
      if (hashSizes[version] === undefined) return fail(500);
      if (hash.length !== hashSizes[version]) return fail(501);
      if (amount <= dust) return fail(502);
      if (state.held(sender, sbtcAsset(mainnet)) < amount + maxFee) return fail(1);
      const data = registryData(context);
      const id = uint(data.uintVariable('last-withdrawal-request-id') + 1n);
      const fields = {
        amount: args[0]!,
        'block-height': uint(burnHeight),
        'max-fee': args[2]!,
        recipient: args[1]!,
        sender: principal(sender),
      };
      data.setVariable('last-withdrawal-request-id', id);
      data.setEntry('withdrawal-requests', id, tuple(fields));
      return {
        result: ok(id),
        events: [
          ...burnt(sbtcAsset(mainnet), sender, amount + maxFee),
          ...minted(lockedAsset(mainnet), sender, amount + maxFee),
          printOf(context, 'withdrawal-create', { ...fields, 'request-id': id }),
        ],
        writes: data.writes,
      };
    },
    'accept-withdrawal-request'(context, args) {
      const [id, bitcoinTxId, bitmap, index, fee, burnHash, burnHeight, sweep] = args;
      const data = registryData(context);
      const found = openRequest(context, data, id!);
      if (typeof found === 'number') return fail(found);
      if (uintArg(args, 4) > found.maxFee) return fail(506);
      const hashes = [1, 5, 7].map(at => bytesArg(args, at).length);
      if (hashes.some(size => size !== hashSize) || uintArg(args, 6) > BigInt(context.burnHeight)) return fail(508);
      data.setEntry('withdrawal-status', id!, bool(true));
      const { sender, amount, maxFee } = found;
      const fields = {
        'bitcoin-txid': bitcoinTxId!,
        'burn-hash': burnHash!,
        'burn-height': burnHeight!,
        fee: fee!,
        'output-index': index!,
        'request-id': id!,
        'signer-bitmap': bitmap!,
        'sweep-txid': sweep!,
      };
      return {
        result: ok(bool(true)),
        events: [
          ...burnt(lockedAsset(context.mainnet), sender, amount + maxFee),
          ...minted(sbtcAsset(context.mainnet), sender, maxFee - uintArg(args, 4)),
          printOf(context, 'withdrawal-accept', fields),
        ],
        writes: [...data.writes, supplyWrite(context, -amount - uintArg(args, 4))],
      };
    },
    'reject-withdrawal-request'(context, args) {
      const data = registryData(context);
      const found = openRequest(context, data, args[0]!);
      if (typeof found === 'number') return fail(found);
      data.setEntry('withdrawal-status', args[0]!, bool(false));
      const { sender, amount, maxFee } = found;
      return {
        result: ok(bool(true)),
        events: [
          ...burnt(lockedAsset(context.mainnet), sender, amount + maxFee),
          ...minted(sbtcAsset(context.mainnet), sender, amount + maxFee),
          printOf(context, 'withdrawal-reject', { 'request-id': args[0]!, 'signer-bitmap': args[1]! }),
        ],
        writes: data.writes,
      };
    },
  }),
};

type OpenRequest = { amount: bigint; maxFee: bigint; sender: string };

/** A request that the signers may decide about, or the number of the error. */
function openRequest(context: CallContext, data: Draft, id: ClarityValue): OpenRequest | number {
  const fields = fieldsIn(data.entry('withdrawal-requests', id));
  if (!fields) return 503;
  if (!isSigner(context)) return 504;
  if (data.entry('withdrawal-status', id)) return 505;
  const [amount, maxFee] = ['amount', 'max-fee'].map(name => uintArg([fields.get(name)!], 0));
  return { amount: amount!, maxFee: maxFee!, sender: principalArg([fields.get('sender')!], 0) };
}
