import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import { expect, test } from 'vitest';
import { parseMessage } from '../../src/node/json.ts';
import { readBlock } from '../../src/node/messages.ts';
import { mineLine, testChain } from '../support/chain.ts';

const addressOf = (index: number) => accountAt(index, false).address;
const largest = (1n << 128n) - 1n;

const chain = testChain();
const [base] = mineLine(chain, chain.genesis, 1, { tenure: 'new' });

/** The operations of a block whose message is written like this. */
function operationsOf(text: string) {
  const { receipts } = readBlock(parseMessage(Buffer.from(text)));
  return receipts.flatMap(receipt => receipt.burnOperation ?? []);
}

test('large numbers of operations are read whole, with and without blanks in the message', () => {
  const block = chain.mine(base!, {
    tenure: 'new',
    burnOperations: [{ from: 1, kind: 'stack_stx', amount: 4_500_432_000_000_001n, cycles: 3 }],
  });
  const text = messageText(block.body);
  const spaced = text.replaceAll('":', '": ').replaceAll(',"', ', "');
  for (const written of [text, spaced]) {
    expect(operationsOf(written)).toMatchObject([
      { kind: 'stack_stx', amount: 4_500_432_000_000_001n, maxAmount: largest },
    ]);
  }
});

test('a delegation may end at any burn height', () => {
  const block = chain.mine(base!, {
    tenure: 'new',
    burnOperations: [{ from: 1, kind: 'delegate_stx', to: addressOf(2), amount: 5n, untilBurnHeight: 77 }],
  });
  const text = messageText(block.body);
  const last = (1n << 64n) - 1n;
  expect(operationsOf(text)).toMatchObject([{ kind: 'delegate_stx', untilBurnHeight: 77n }]);
  const late = text.replace('"until_burn_height":77', `"until_burn_height":${last}`);
  expect(operationsOf(late)).toMatchObject([{ kind: 'delegate_stx', untilBurnHeight: last }]);
});

test('a lock that names no operation lasts as many whole cycles as fit before its end', () => {
  const block = chain.mine(base!, {
    tenure: 'new',
    burnOperations: [{ from: 1, kind: 'stack_stx', amount: 5n, cycles: 3 }],
  });
  const body = structuredClone(block.body) as {
    burn_block_height: number;
    transactions: { raw_tx: string; burnchain_op: unknown }[];
    events: { stx_lock_event?: { unlock_height: string } }[];
  };
  for (const transaction of body.transactions) transaction.burnchain_op = null;
  const lock = body.events.find(event => event.stx_lock_event)!.stx_lock_event!;
  const cyclesUntil = (burnBlocks: number) => {
    lock.unlock_height = String(body.burn_block_height + burnBlocks);
    return operationsOf(messageText(body)).map(operation => 'cycles' in operation && operation.cycles);
  };
  expect(cyclesUntil(2 * 1050 + 1)).toEqual([2]);
  expect(cyclesUntil(1049)).toEqual([0]);
});
