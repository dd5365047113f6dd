// Signs and sends a transfer and two contract calls with a key that the devnet prints, first through the API and then
// through the simulated node itself, and watches each go from pending to its end. Run: node examples/first-steps.mjs
import { setTimeout as sleep } from 'node:timers/promises';
import { Cl, getAddressFromPrivateKey, makeContractCall, makeSTXTokenTransfer, Pc } from '@stacks/transactions';

const api = process.env.CAIRN_API ?? 'http://127.0.0.1:3999';
const devnet = process.env.CAIRN_DEVNET_NODE ?? 'http://127.0.0.1:20443';
const key = process.env.CAIRN_KEY ?? 'b678f68c085644b8f04cb591f76cf6420b37784aeeebdc4480ea90a1c802605d01';
const recipient = 'STG98GTQNCTMR1R9X9M2RY2JKK5ASTTK5BK5AJXY';
const network = 'testnet';
const patienceMs = 90_000;

const ask = async (url, init) => {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
  return { status: response.status, body: await response.json().catch(() => undefined) };
};

/** Sends the bytes of a transaction as every wallet does. */
async function broadcast(base, transaction) {
  const { status, body } = await ask(`${base}/v2/transactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: transaction.serializeBytes(),
  });
  if (status !== 200) throw new Error(`rejected: ${JSON.stringify(body)}`);
  return `0x${body}`;
}

/** Follows a transaction until it is no longer pending. */
async function watch(name, txId) {
  const seen = [];
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(200)) {
    const { body } = await ask(`${api}/extended/v1/tx/${txId}`);
    const status = body?.tx_status;
    if (status && seen.at(-1) !== status) seen.push(status);
    if (status && status !== 'pending') break;
  }
  console.log(`${name.padEnd(34)} ${txId.slice(0, 12)}…  ${seen.join(' → ')}`);
  return seen;
}

async function run(base) {
  const sender = getAddressFromPrivateKey(key, network);
  const { body: account } = await ask(`${base}/v2/accounts/${sender}?proof=0`);
  const { body: found } = await ask(`${api}/extended/v1/tx?type=smart_contract&limit=50`);
  const pool = found.results.map(each => each.smart_contract?.contract_id).find(id => id?.endsWith('.pool'));
  if (!pool) throw new Error('the devnet has not deployed its contracts yet: try again in a few seconds');
  const [contractAddress, contractName] = pool.split('.');
  let nonce = account.nonce;
  const common = () => ({ senderKey: key, network, fee: 3000, nonce: nonce++ });
  const swap = limit =>
    makeContractCall({
      ...common(),
      contractAddress,
      contractName,
      functionName: 'swap-stx',
      functionArgs: [Cl.uint(1_000_000), Cl.uint(1)],
      postConditionMode: 'allow',
      postConditions: [Pc.principal(sender).willSendLte(limit).ustx()],
    });
  const transfer = makeSTXTokenTransfer({ ...common(), recipient, amount: 1_000_000, memo: 'first steps' });
  const sent = [
    ['transfer of 1 STX', await broadcast(base, await transfer), 'success'],
    ['swap with a post-condition', await broadcast(base, await swap(1_000_000)), 'success'],
    ['swap that its post-condition undoes', await broadcast(base, await swap(999_999)), 'abort_by_post_condition'],
  ];
  const ends = await Promise.all(sent.map(([name, txId]) => watch(name, txId)));
  const fine = ends.every((seen, i) => seen[0] === 'pending' && seen.at(-1) === sent[i][2]);
  return fine;
}

console.log(`through the API at ${api}`);
const first = await run(api);
console.log(`through the node at ${devnet}`);
const second = await run(devnet);
process.exitCode = first && second ? 0 : 1;
