import { Type } from 'typebox';
import { path } from '../api-reader.ts';
import { ContractId, Cursor, input, Limit, Principal } from '../params.ts';
import { untrusted, untrustedTexts } from '../text.ts';
import { tool } from '../tool.ts';

type Contract = {
  tx_id: string;
  block_height: number;
  clarity_version: number | null;
  source_code: string;
  abi: string | object | null;
};
type AbiType = unknown;
type Abi = {
  functions?: { name: string; access: string; args: { name: string; type: AbiType }[]; outputs: { type: AbiType } }[];
  variables?: { name: string; access: string }[];
  maps?: { name: string }[];
  fungible_tokens?: { name: string }[];
  non_fungible_tokens?: { name: string }[];
};

const MAX_FUNCTIONS = 60;
const MAX_SOURCE = 12_000;

export const contract = tool({
  name: 'contract',
  title: 'Interface and source of a contract',
  description:
    'What a contract offers: functions with arguments and results, tokens, variables; with `source` also its Clarity source. Comments in the source are text of its author.',
  input: input({
    contract_id: ContractId,
    source: Type.Optional(
      Type.Boolean({ default: false, description: 'Also the source, cut after 12,000 characters.' }),
    ),
  }),
  async run({ contract_id, source = false }, api) {
    const found = await api.get<Contract>(path`/extended/v1/contract/${contract_id}`);
    const abi = (typeof found.abi === 'string' ? JSON.parse(found.abi) : found.abi) as Abi | null;
    const open = (abi?.functions ?? []).filter(({ access }) => access !== 'private');
    const readOnly = open.find(({ access, args }) => access === 'read_only' && args.length === 0);
    return {
      data: {
        contract_id,
        deployed_in_block: found.block_height,
        deploy_tx: found.tx_id,
        clarity_version: found.clarity_version,
        functions: open.slice(0, MAX_FUNCTIONS).map(signature),
        ...(open.length > MAX_FUNCTIONS && { functions_truncated_from: open.length }),
        tokens: [...(abi?.fungible_tokens ?? []), ...(abi?.non_fungible_tokens ?? [])].map(
          ({ name }) => `${contract_id}::${name}`,
        ),
        variables: (abi?.variables ?? []).slice(0, MAX_FUNCTIONS).map(({ name, access }) => `${name} (${access})`),
        maps: (abi?.maps ?? []).slice(0, MAX_FUNCTIONS).map(({ name }) => name),
        ...(abi === null && { note: 'The node has told no interface of this contract.' }),
        ...(source && { source: untrusted(found.source_code, MAX_SOURCE) }),
      },
      next_steps: [
        ...(readOnly
          ? [`call_read_only {"contract_id":"${contract_id}","function":"${readOnly.name}","arguments":{}}`]
          : []),
        `contract_logs {"contract_id":"${contract_id}"} lists what it printed`,
      ],
    };
  },
});

/** `public transfer (amount uint, to principal) → (response bool uint)`. */
function signature({ name, access, args, outputs }: NonNullable<Abi['functions']>[number]): string {
  const parameters = args.map(each => `${each.name} ${typeText(each.type)}`).join(', ');
  return `${access === 'read_only' ? 'read-only' : access} ${name} (${parameters}) → ${typeText(outputs.type)}`;
}

/** A type of an interface as Clarity writes it. */
function typeText(type: AbiType): string {
  if (typeof type === 'string') return type.replace('int128', 'int');
  const [kind, inner] = Object.entries(type as Record<string, unknown>)[0] ?? ['unknown', undefined];
  switch (kind) {
    case 'buffer':
    case 'string-ascii':
    case 'string-utf8':
      return `(${kind === 'buffer' ? 'buff' : kind} ${(inner as { length: number }).length})`;
    case 'optional':
      return `(optional ${typeText(inner)})`;
    case 'response': {
      const { ok, error } = inner as { ok: AbiType; error: AbiType };
      return `(response ${typeText(ok)} ${typeText(error)})`;
    }
    case 'list': {
      const { type: item, length } = inner as { type: AbiType; length: number };
      return `(list ${length} ${typeText(item)})`;
    }
    case 'tuple':
      return `{${(inner as { name: string; type: AbiType }[]).map(field => `${field.name}: ${typeText(field.type)}`).join(', ')}}`;
    default:
      return String(kind);
  }
}

type Logs = {
  total: number;
  next_cursor: string | null;
  prev_cursor: string | null;
  results: { tx_id: string; event_index: number; contract_log: { topic: string; value: { repr: string } } }[];
};

export const contractLogs = tool({
  name: 'contract_logs',
  title: 'What a contract printed',
  description: 'The print events of a contract, newest first.',
  input: input({ contract_id: ContractId, limit: Limit, cursor: Cursor }),
  async run({ contract_id, limit = 10, cursor }, api) {
    const page = await api.get<Logs>(path`/extended/v2/smart-contracts/${contract_id}/logs`, { limit, cursor });
    return {
      data: {
        total: page.total,
        logs: page.results.map(({ tx_id, event_index, contract_log }) => ({
          tx_id,
          event_index,
          value: untrustedTexts(contract_log.value.repr, 600),
        })),
      },
      // The page of older logs: the list goes back in time.
      next_cursor: page.prev_cursor ?? undefined,
    };
  },
});

type Call = { result: { repr: string }; type: string };

export const callReadOnly = tool({
  name: 'call_read_only',
  title: 'Call a read-only function',
  description:
    'Calls a read-only function of a contract and returns its result. Arguments are an object by the name of the parameter: numbers as decimal text, principals and texts as text. `contract` lists names and types.',
  input: input({
    contract_id: ContractId,
    function: Type.String({
      pattern: '^([a-zA-Z][a-zA-Z0-9_!?+<>=/*-]{0,127}|[-+=/*]|[<>]=?)$',
      description: 'Name of the function.',
    }),
    arguments: Type.Optional(
      Type.Record(Type.String({ maxLength: 128 }), Type.Unknown(), {
        maxProperties: 32,
        description: 'Values by the name of the parameter; empty without parameters.',
      }),
    ),
    sender: Type.Optional(Principal),
  }),
  async run({ contract_id, function: name, arguments: values = {}, sender }, api) {
    const body = { arguments: values, ...(sender && { sender }) };
    const { result, type } = await api.post<Call>(path`/extended/v1/contract/${contract_id}/call/${name}`, body);
    return { data: { result: untrustedTexts(result.repr, 4000), type } };
  },
});
