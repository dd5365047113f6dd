import { buffer, list, principal, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { accountAt } from '../../chain/account.ts';
import { readOutline } from '../../clarity/outline.ts';
import { deployer } from '../../residents/accounts.ts';
import { bindOutline, type CallContext, type ContractModel, outlineSource } from '../contract-model.ts';

const outline = readOutline(`
(released Epoch30 Clarity3)
(read-only get-current-aggregate-pubkey () (buff 33))
(read-only get-current-signer-data () {current-aggregate-pubkey: (buff 33), current-signature-threshold: uint,
  current-signer-principal: principal, current-signer-set: (list 128 (buff 33))})
(read-only get-current-signer-principal () principal)
(read-only get-current-signer-set () (list 128 (buff 33)))
`);

/** The one account that stands for the signers of sBTC. */
const signerOf = ({ mainnet }: CallContext) => accountAt(deployer, mainnet);
const keyOf = (context: CallContext) => buffer(signerOf(context).publicKey);

/** The registry of sBTC: its signers. Deposits and withdrawals are not modelled. */
export const sbtcRegistryModel: ContractModel = {
  name: 'sbtc-registry',
  source: outlineSource('sbtc-registry', outline),
  outline,
  functions: bindOutline(outline, {
    'get-current-aggregate-pubkey': context => ({ result: keyOf(context) }),
    'get-current-signer-principal': context => ({ result: principal(signerOf(context).address) }),
    'get-current-signer-set': context => ({ result: list([keyOf(context)]) }),
    'get-current-signer-data': context => ({
      result: tuple({
        'current-aggregate-pubkey': keyOf(context),
        'current-signature-threshold': uint(1),
        'current-signer-principal': principal(signerOf(context).address),
        'current-signer-set': list([keyOf(context)]),
      }),
    }),
  }),
};
