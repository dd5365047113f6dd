import type { RosettaOperation } from '../schemas/rosetta.ts';
import { stxAmount, type Token, tokenAmount } from './currency.ts';
import type { OperationType } from './operation-types.ts';

type Draft = {
  account?: string;
  value?: bigint;
  /** What the value counts; STX if undefined. */
  token?: Token | undefined;
  metadata?: Record<string, unknown> | undefined;
};

/** The operations of one transaction, numbered in order. */
export class OperationList {
  readonly operations: RosettaOperation[] = [];
  readonly #txId: string;

  constructor(txId: string) {
    this.#txId = txId;
  }

  add(type: OperationType, status: string, { account, value, token, metadata }: Draft): void {
    this.operations.push({
      operation_identifier: { index: this.operations.length },
      type,
      status,
      ...(account !== undefined && { account: { address: account } }),
      ...(value !== undefined && { amount: token ? tokenAmount(value, token) : stxAmount(value) }),
      ...(metadata && { metadata }),
    });
  }

  /** Adds two operations: sender and recipient. */
  addTransfer(status: string, transfer: Transfer): void {
    const { sender, recipient, amount, token, metadata } = transfer;
    const spent = this.operations.length;
    this.add('token_transfer', status, { account: sender, value: -amount, token, metadata });
    if (!token) this.#change('coin_spent');
    this.add('token_transfer', status, { account: recipient, value: amount, token, metadata });
    this.operations[spent + 1]!.related_operations = [{ index: spent }];
    if (!token) this.#change('coin_created');
  }

  /** Clients expect these on transfers of STX, although accounts have no coins. */
  #change(action: 'coin_spent' | 'coin_created'): void {
    const last = this.operations.at(-1)!;
    const identifier = `${this.#txId}:${last.operation_identifier.index}`;
    last.coin_change = { coin_action: action, coin_identifier: { identifier } };
  }
}

export type Transfer = {
  sender: string;
  recipient: string;
  amount: bigint;
  token?: Token | undefined;
  metadata?: Record<string, unknown> | undefined;
};
