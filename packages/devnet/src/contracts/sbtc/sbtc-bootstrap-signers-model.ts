import { bool, ok, principal } from '@cairn-stacks/codec/clarity/build';
import { readOutline } from '../../clarity/outline.ts';
import { bindOutline, bytesArg, type ContractModel, fail, outlineSource, uintArg } from '../contract-model.ts';
import { isSigner, printOf, registryData, signerOf } from './registry-data.ts';

const outline = readOutline(`
(released Epoch30 Clarity3)
(public rotate-keys-wrapper ((new-keys (list 128 (buff 33))) (new-aggregate-pubkey (buff 33)) (new-signature-threshold uint))
  (response bool uint))
(public update-protocol-contract-wrapper ((contract-type (buff 1)) (contract-address principal)) (response bool uint))
`);

const keySize = 33;

/** Governance: new keys of the signers, new contracts of the protocol. One account sends for the signers, whatever their keys are. */
export const sbtcBootstrapSignersModel: ContractModel = {
  name: 'sbtc-bootstrap-signers',
  source: outlineSource('sbtc-bootstrap-signers', outline),
  outline,
  functions: bindOutline(outline, {
    'rotate-keys-wrapper'(context, args) {
      const [keys, aggregate, threshold] = args;
      const items = keys?.type === 'list' ? keys.items : [];
      if (!isSigner(context)) return fail(201);
      const needed = uintArg(args, 2);
      if (needed * 2n <= BigInt(items.length) || needed > BigInt(items.length)) return fail(202);
      if ([...items, aggregate!].some(key => bytesArg([key], 0).length !== keySize)) return fail(200);
      const data = registryData(context);
      if (data.entry('aggregate-pubkeys', aggregate!)) return fail(402);
      const address = principal(signerOf(context).address);
      data.setEntry('aggregate-pubkeys', aggregate!, bool(true));
      data.setVariable('current-signer-set', keys!);
      data.setVariable('current-aggregate-pubkey', aggregate!);
      data.setVariable('current-signature-threshold', threshold!);
      const fields = {
        'new-address': address,
        'new-aggregate-pubkey': aggregate!,
        'new-keys': keys!,
        'new-signature-threshold': threshold!,
      };
      return { result: ok(bool(true)), events: [printOf(context, 'key-rotation', fields)], writes: data.writes };
    },
    'update-protocol-contract-wrapper'(context, args) {
      if (!isSigner(context)) return fail(201);
      const fields = { 'contract-type': args[0]!, 'new-contract': args[1]! };
      return { result: ok(bool(true)), events: [printOf(context, 'update-protocol-contract', fields)] };
    },
  }),
};
