import { type argumentsJson, clarityJson } from '@cairn-stacks/codec/clarity/json';
import { toHex } from '@cairn-stacks/codec/hex';
import type { HookEvent, HookTransaction } from './block.ts';
import type { Options } from './definition-schema.ts';

const STX = { symbol: 'STX', decimals: 6 };

type Part = { type: string; status?: string; [field: string]: unknown };

/** What a transaction did, in the operations of Chainhooks 2.0: its fee, itself, and its events in their order. */
export function operationsOf(transaction: HookTransaction, options: Options): object[] {
  const { body, events } = transaction;
  const parts: Part[] = [...feeOf(transaction), ...ownOf(transaction, options)];
  // The event of a transfer says the same once more, and a failed one has none.
  if (body.tx_type === 'token_transfer' && events.length === 0) parts.push(...failedTransfer(transaction));
  for (const event of events) parts.push(...partsOf(event, transaction, options));
  return parts.map((part, index) => ({ operation_identifier: { index }, status: body.tx_status, ...part }));
}

const amountOf = (value: string, currency: object = STX) => ({ value, currency });
const minus = (amount: string) => (amount === '0' ? '0' : `-${amount}`);

function feeOf({ body }: HookTransaction): Part[] {
  if (body.fee_rate === '0') return [];
  const payer = body.sponsor_address ?? body.sender_address;
  const metadata = { sponsored: body.sponsored };
  return [
    { type: 'fee', status: 'success', account: { address: payer }, amount: amountOf(minus(body.fee_rate)), metadata },
  ];
}

function ownOf({ body, abi }: HookTransaction, options: Options): Part[] {
  const account = { address: body.sender_address };
  switch (body.tx_type) {
    case 'contract_call': {
      const { contract_id, function_name, function_args = [] } = body.contract_call;
      const args = options.decode_clarity_values ? function_args : argumentsHex(function_args);
      return [{ type: 'contract_call', account, metadata: { contract_identifier: contract_id, function_name, args } }];
    }
    case 'smart_contract': {
      const { contract_id, clarity_version, source_code } = body.smart_contract;
      const source = options.include_contract_source_code ? { source_code } : {};
      const face = options.include_contract_abi && abi !== undefined ? { abi } : {};
      const metadata = { contract_identifier: contract_id, clarity_version, ...source, ...face };
      return [{ type: 'contract_deploy', account, metadata }];
    }
    case 'coinbase': {
      const { alt_recipient, vrf_proof = null } = body.coinbase_payload;
      return [{ type: 'coinbase', account, metadata: { alt_recipient, vrf_proof } }];
    }
    case 'tenure_change':
      return [{ type: 'tenure_change', metadata: body.tenure_change_payload }];
    case 'poison_microblock':
      return [{ type: 'poison_microblock', account, metadata: body.poison_microblock }];
    default:
      return [];
  }
}

/** The serialized list of the arguments, as in the bytes of the transaction; null without arguments. */
function argumentsHex(args: readonly ReturnType<typeof argumentsJson>[number][]): string | null {
  if (args.length === 0) return null;
  return `0x${args.length.toString(16).padStart(8, '0')}${args.map(({ hex }) => hex.slice(2)).join('')}`;
}

function failedTransfer({ body }: HookTransaction): Part[] {
  if (body.tx_type !== 'token_transfer') return [];
  const { recipient_address, amount, memo } = body.token_transfer;
  return transfer(body.sender_address, recipient_address, amountOf(minus(amount)), amountOf(amount), {
    metadata: { memo },
  });
}

const transfer = (from: string, to: string, sent: object, received: object, more: object = {}): Part[] => [
  { type: 'token_transfer', account: { address: from }, amount: sent, ...more },
  { type: 'token_transfer', account: { address: to }, amount: received, ...more },
];

function partsOf(event: HookEvent, { body }: HookTransaction, options: Options): Part[] {
  const { kind, asset, contract, sender = '', recipient = '', value } = event;
  const decoded = options.decode_clarity_values === true;
  const isNft = kind.startsWith('nft_');
  const quantity = isNft ? '1' : event.amount;
  const token = {
    asset_identifier: asset,
    token_type: isNft ? 'nft' : 'ft',
    ...(isNft && { value: decoded ? clarityJson(value).repr : toHex(value) }),
  };
  const currency = asset === undefined ? STX : { symbol: '', decimals: 0, metadata: token };
  const [gained, lost] = [amountOf(quantity, currency), amountOf(minus(quantity), currency)];
  switch (kind) {
    case 'stx_transfer': {
      const memo = body.tx_type === 'token_transfer' ? body.token_transfer.memo : memoOf(value);
      return transfer(sender, recipient, lost, gained, memo === null ? {} : { metadata: { memo } });
    }
    case 'ft_transfer':
    case 'nft_transfer':
      return transfer(sender, recipient, lost, gained);
    case 'stx_mint':
    case 'ft_mint':
    case 'nft_mint':
      return [{ type: 'token_mint', account: { address: recipient }, amount: gained }];
    case 'stx_burn':
    case 'ft_burn':
    case 'nft_burn':
      return [{ type: 'token_burn', account: { address: sender }, amount: lost }];
    case 'stx_lock': {
      const name = contract?.split('.')[1] ?? '';
      const metadata = { unlock_height: Number(value.toString()), locked_address: sender, contract_name: name };
      return [{ type: 'stx_lock', account: { address: sender }, amount: lost, metadata }];
    }
    case 'print': {
      const printed = decoded ? clarityJson(value) : toHex(value);
      const metadata = { contract_identifier: contract, topic: 'print', value: printed };
      return [{ type: 'contract_log', metadata }];
    }
    case 'unknown':
      return [];
  }
}

const memoOf = (value: Buffer): string | null => (value.length === 0 ? null : toHex(value));
