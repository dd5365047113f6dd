// Signs and sends a transfer and two contract calls with a key that the devnet prints, first through the API and then
// through the simulated node itself, and follows each from pending to its end. Run: node examples/first-steps.mjs
const api = process.env.CAIRN_API || `http://127.0.0.1:${process.env.CAIRN_API_PORT || 3999}`;
const devnet = process.env.CAIRN_DEVNET_NODE || `http://127.0.0.1:${process.env.CAIRN_DEVNET_PORT || 20443}`;
const key = process.env.CAIRN_KEY || 'b678f68c085644b8f04cb591f76cf6420b37784aeeebdc4480ea90a1c802605d01';
const recipient = 'STG98GTQNCTMR1R9X9M2RY2JKK5ASTTK5BK5AJXY';
/** The contract of the devnet that exchanges STX for stones; its address is the same in every devnet. */
const pool = { address: 'ST3PDQA0PMRJ100XR0P2F8RV16M73ZJX10EG0H64F', name: 'pool' };
const network = 'testnet';
const patienceMs = 90_000;

/** An error whose message is enough. */
class Problem extends Error {}

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Reads a URL as JSON; `remedy` says what to do if nothing listens there. */
async function ask(url, remedy, init) {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  } catch (error) {
    if (error.name === 'TimeoutError') throw new Problem(`${url} does not respond within 10 seconds.`);
    throw new Problem(`Nothing responds at ${new URL(url).origin} (${error.cause?.code ?? error.message}). ${remedy}`);
  }
}

const startIt = 'Start the service with "npm start" in another terminal, or set CAIRN_API to its address.';
const askApi = path => ask(`${api}${path}`, startIt);
const nameNode = 'Set CAIRN_DEVNET_NODE to the address of "Node" that the start printed, without /v2/info.';

/** Repeats a question until it has an answer. */
async function until(question, problem) {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(200)) {
    const answer = await question();
    if (answer !== undefined) return answer;
  }
  throw new Problem(problem);
}

/** Waits for the service, and for the contracts that the devnet deploys in its first blocks. */
async function untilReady() {
  await until(
    async () => ((await askApi('/extended')).status === 200 ? true : undefined),
    `${api} is still starting: its log says why.`,
  );
  const { body: info } = await askApi('/v2/info');
  if (info && info.network_id !== 0x80000000) {
    throw new Problem(`${api} serves the network ${info.network_id}; this script is for the simulated devnet.`);
  }
  await until(
    async () =>
      (await askApi(`/extended/v1/contract/${pool.address}.${pool.name}`)).status === 200 ? true : undefined,
    `${api} has no contract ${pool.address}.${pool.name}: this script is for the simulated devnet.`,
  );
}

/** Sends the bytes of a transaction as every wallet does. */
async function broadcast(base, transaction) {
  const { status, body } = await ask(`${base}/v2/transactions`, base === api ? startIt : nameNode, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: transaction.serializeBytes(),
  });
  if (status !== 200) throw new Problem(`The transaction was rejected: ${JSON.stringify(body)}`);
  return `0x${body}`;
}

/** Follows a transaction until it is no longer pending; resolves with the statuses that it had. */
async function follow(txId) {
  const seen = [];
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(200)) {
    const { tx_status: status } = (await askApi(`/extended/v1/tx/${txId}`)).body ?? {};
    if (status && seen[seen.length - 1] !== status) seen.push(status);
    if (status && status !== 'pending') break;
  }
  return seen;
}

async function run(base, { Cl, getAddressFromPrivateKey, makeContractCall, makeSTXTokenTransfer, Pc }) {
  const sender = getAddressFromPrivateKey(key, network);
  const { body: nonces } = await askApi(`/extended/v1/address/${sender}/nonces`);
  let nonce = nonces.possible_next_nonce;
  const common = () => ({ senderKey: key, network, fee: 3000, nonce: nonce++ });
  const swap = limit =>
    makeContractCall({
      ...common(),
      contractAddress: pool.address,
      contractName: pool.name,
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
  const followed = sent.map(([, txId]) => follow(txId));
  const ends = [];
  for (const [i, [name, txId]] of sent.entries()) {
    const seen = await followed[i];
    console.log(`  ${name.padEnd(36)} ${txId.slice(0, 12)}…  ${seen.join(' → ')}`);
    ends.push(seen[seen.length - 1]);
  }
  if (ends.includes('pending')) {
    throw new Problem(
      `Not mined within ${patienceMs / 1000} seconds. "node dist/main.js devnet mine" mines a block now.`,
    );
  }
  if (!ends.every((end, i) => end === sent[i][2]))
    throw new Problem('A transaction ended in another way than expected.');
}

async function main() {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Problem(`This script needs Node.js 20.19 or newer; this is ${process.version}. See https://nodejs.org`);
  }
  const stacks = await import('@stacks/transactions').catch(error => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Problem('The packages are not installed: run "npm start" or "npm install" first.');
  });
  await untilReady();
  console.log(`through the API at ${api}`);
  await run(api, stacks);
  console.log(`through the node at ${devnet}`);
  await ask(`${devnet}/v2/info`, nameNode);
  await run(devnet, stacks);
  console.log(
    `Look at one of them: ${api}/extended/v1/address/${stacks.getAddressFromPrivateKey(key, network)}/transactions`,
  );
}

main().catch(error => {
  console.error(error instanceof Problem ? error.message : error);
  process.exitCode = 1;
});
