import { bool, ok } from '@cairn-stacks/codec/clarity/build';
import { readOutline } from '../../clarity/outline.ts';
import {
  bindOutline,
  bytesArg,
  type ContractModel,
  fail,
  outlineSource,
  principalArg,
  uintArg,
} from '../contract-model.ts';
import { isSigner, minted, printOf, registryData, supplyWrite } from './registry-data.ts';
import { sbtcAsset } from './sbtc-address.ts';

const outline = readOutline(`
(released Epoch30 Clarity3)
(public complete-deposit-wrapper ((txid (buff 32)) (vout-index uint) (amount uint) (recipient principal) (burn-hash (buff 32))
  (burn-height uint) (sweep-txid (buff 32))) (response bool uint))
`);

const hashSize = 32;
/** A deposit of less is dust. */
const leastDeposit = 546n;

/** Completes deposits for the signers, one at a time. The hash of the Bitcoin block is taken as stated. */
export const sbtcDepositModel: ContractModel = {
  name: 'sbtc-deposit',
  source: outlineSource('sbtc-deposit', outline),
  outline,
  functions: bindOutline(outline, {
    'complete-deposit-wrapper'(context, args) {
      const [txid, index, amount, , burnHash, burnHeight, sweep] = args;
      const data = registryData(context);
      const output = { txid: txid!, 'vout-index': index! };
      if (!isSigner(context)) return fail(304);
      if (uintArg(args, 2) < leastDeposit) return fail(302);
      if (bytesArg(args, 0).length !== hashSize || bytesArg(args, 6).length !== hashSize) return fail(300);
      if (data.entry('deposit-status', output)) return fail(301);
      if (bytesArg(args, 4).length !== hashSize || uintArg(args, 5) > BigInt(context.burnHeight)) return fail(305);
      data.setEntry('deposit-status', output, bool(true));
      const fields = {
        amount: amount!,
        'bitcoin-txid': txid!,
        'burn-hash': burnHash!,
        'burn-height': burnHeight!,
        'output-index': index!,
        'sweep-txid': sweep!,
      };
      return {
        result: ok(bool(true)),
        events: [
          ...minted(sbtcAsset(context.mainnet), principalArg(args, 3), uintArg(args, 2)),
          printOf(context, 'completed-deposit', fields),
        ],
        writes: [...data.writes, supplyWrite(context, uintArg(args, 2))],
      };
    },
  }),
};
