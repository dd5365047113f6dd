/** One GET route of the API, from its OpenAPI document. */
export type Route = {
  /** The template, such as `/extended/v1/tx/{tx_id}`. */
  path: string;
  /** Required parameters, in the path and in the query. */
  required: readonly string[];
  /** Query parameters, required or not. */
  query: readonly string[];
};

type Parameter = { name: string; in: string; required?: boolean };
type Document = { paths: Record<string, { get?: { parameters?: readonly Parameter[] } }> };

/** The GET routes of an OpenAPI document, without trailing slashes: both forms give the same response. */
export function routesOf(document: object): Route[] {
  return Object.entries((document as Document).paths).flatMap(([path, { get }]) => {
    if (!get) return [];
    const parameters = (get.parameters ?? []).filter(({ in: place }) => place === 'path' || place === 'query');
    return [
      {
        path: path.replace(/(.)\/$/, '$1'),
        required: parameters.filter(({ required }) => required).map(({ name }) => name),
        query: parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name),
      },
    ];
  });
}

/** Routes that are not compared, with reasons. */
export const LEFT_OUT: readonly { match: RegExp; reason: string }[] = [
  { match: /^\/(v2|v3)\/(?!prices)|^\/extended\/v2\/info$/, reason: 'served by nodes' },
  { match: /network_block_time|average-times/, reason: 'depends on the clock' },
  { match: /\/faucets\//, reason: 'gives something away' },
  { match: /^\/(metadata|signer-metrics|chainhooks)(\/|$)/, reason: 'served by other services of the incumbent' },
  { match: /^\/(extended\/v1\/history|bns\/v2)\//, reason: 'the incumbent does not have it' },
  { match: /^\/extended\/v1\/contract\/by_trait$/, reason: 'needs a contract interface' },
  {
    match:
      /^\/bitcoin\/|^\/extended\/v1\/(status|stream|names|namespaces|sbtc|labels)(\/|$)|\/diagnosis$|\/principals\/[^/]+\/staking\/rewards$|\/(principals|staking\/signers)\/[^/]+\/events$|\/mempool\/nonces$|\/tokens\/ft\/[^/]+\/transfers$/,
    reason: 'only Cairn has it',
  },
];

/** Routes of pending transactions, which are compared only with --mempool. */
export const MEMPOOL = /\/mempool(\/|$)/;
