import { type EventKind, eventCodes } from '../../chain/event.ts';

/** Names of event kinds in parameters and in exports, as streams have them. */
export const eventTypes = [
  'stx_transfer',
  'stx_mint',
  'stx_burn',
  'stx_lock',
  'ft_transfer',
  'ft_mint',
  'ft_burn',
  'nft_transfer',
  'nft_mint',
  'nft_burn',
  'contract_log',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Those that move assets. */
export const transferTypes = eventTypes.filter(type => type !== 'stx_lock' && type !== 'contract_log');

const kindOf = (type: EventType): EventKind => (type === 'contract_log' ? 'print' : type);

/** The code of a type in the tables. */
export const eventCodeOf = (type: EventType): number => eventCodes[kindOf(type)];

const typesByCode = new Map(eventTypes.map(type => [eventCodeOf(type), type]));

/** The type of a code in the tables; undefined for an event without a public shape. */
export const eventTypeOf = (code: number): EventType | undefined => typesByCode.get(code);
