import { none, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { readOutline } from '../../clarity/outline.ts';
import { bindOutline, type ContractModel, fail, fieldsIn, outlineSource } from '../contract-model.ts';
import { registryData } from './registry-data.ts';

const outline = readOutline(`
(released Epoch30 Clarity3)
(public complete-deposit ((txid (buff 32)) (vout-index uint) (amount uint) (recipient principal) (burn-hash (buff 32))
  (burn-height uint) (sweep-txid (buff 32))) (response bool uint))
(public complete-withdrawal-accept ((request-id uint) (bitcoin-txid (buff 32)) (output-index uint) (signer-bitmap uint)
  (fee uint) (burn-hash (buff 32)) (burn-height uint) (sweep-txid (buff 32))) (response bool uint))
(public complete-withdrawal-reject ((request-id uint) (signer-bitmap uint)) (response bool uint))
(public create-withdrawal-request ((amount uint) (max-fee uint) (sender principal)
  (recipient {hashbytes: (buff 32), version: (buff 1)}) (height uint)) (response uint uint))
(public rotate-keys ((new-keys (list 128 (buff 33))) (new-address principal) (new-aggregate-pubkey (buff 33))
  (new-signature-threshold uint)) (response bool uint))
(public update-protocol-contract ((contract-type (buff 1)) (new-contract principal)) (response bool uint))
(read-only get-current-aggregate-pubkey () (buff 33))
(read-only get-current-signer-data () {current-aggregate-pubkey: (buff 33), current-signature-threshold: uint,
  current-signer-principal: principal, current-signer-set: (list 128 (buff 33))})
(read-only get-current-signer-principal () principal)
(read-only get-current-signer-set () (list 128 (buff 33)))
(read-only get-deposit-status ((txid (buff 32)) (vout-index uint)) (optional bool))
(read-only get-withdrawal-request ((id uint)) (optional {amount: uint, block-height: uint, max-fee: uint,
  recipient: {hashbytes: (buff 32), version: (buff 1)}, sender: principal, status: (optional bool)}))
`);

const signerData = [
  'current-aggregate-pubkey',
  'current-signature-threshold',
  'current-signer-principal',
  'current-signer-set',
];

/** Only contracts of the protocol may change the registry; they do so themselves here. */
const unauthorised = () => fail(400);

/** The registry of sBTC: deposits, withdrawals and the keys of the signers. */
export const sbtcRegistryModel: ContractModel = {
  name: 'sbtc-registry',
  source: outlineSource('sbtc-registry', outline),
  outline,
  functions: bindOutline(outline, {
    'complete-deposit': unauthorised,
    'complete-withdrawal-accept': unauthorised,
    'complete-withdrawal-reject': unauthorised,
    'create-withdrawal-request': unauthorised,
    'rotate-keys': unauthorised,
    'update-protocol-contract': unauthorised,
    'get-current-aggregate-pubkey': context => ({
      result: registryData(context).variable('current-aggregate-pubkey')!,
    }),
    'get-current-signer-principal': context => ({
      result: registryData(context).variable('current-signer-principal')!,
    }),
    'get-current-signer-set': context => ({ result: registryData(context).variable('current-signer-set')! }),
    'get-current-signer-data': context => ({
      result: tuple(Object.fromEntries(signerData.map(name => [name, registryData(context).variable(name)!]))),
    }),
    'get-deposit-status': (context, [txid, index]) => {
      const status = registryData(context).entry('deposit-status', { txid: txid!, 'vout-index': index! });
      return { result: status ? some(status) : none };
    },
    'get-withdrawal-request': (context, [id]) => {
      const data = registryData(context);
      const fields = fieldsIn(data.entry('withdrawal-requests', id ?? uint(0)));
      if (!fields) return { result: none };
      const status = data.entry('withdrawal-status', id!);
      return { result: some(tuple({ ...Object.fromEntries(fields), status: status ? some(status) : none })) };
    },
  }),
};
