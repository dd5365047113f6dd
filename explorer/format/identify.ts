/** What a text could be, by its form alone. */
export type Kind = 'transaction-or-block' | 'height' | 'account' | 'contract' | 'token' | 'name' | 'words';

const address = 'S[A-Z0-9]{20,50}';
const contractName = '[a-zA-Z][a-zA-Z0-9_-]{0,127}';

export function kindOf(text: string): Kind {
  const value = text.trim();
  if (/^(0x)?[0-9a-f]{64}$/i.test(value)) return 'transaction-or-block';
  if (/^#?\d{1,10}$/.test(value)) return 'height';
  if (new RegExp(`^${address}$`, 'i').test(value)) return 'account';
  if (new RegExp(`^${address}\\.${contractName}$`, 'i').test(value)) return 'contract';
  if (new RegExp(`^${address}\\.${contractName}::.{1,128}$`, 'i').test(value)) return 'token';
  if (/^[a-z0-9_-]{1,48}(\.[a-z0-9_-]{1,48}){1,2}$/i.test(value)) return 'name';
  return 'words';
}

/** The page of a text whose form leaves no doubt; undefined if only a search can tell. */
export function pageOf(text: string): string | undefined {
  const value = text.trim();
  switch (kindOf(value)) {
    case 'account':
      return `/account/${value.toUpperCase()}`;
    case 'contract':
      return `/contract/${upperAddress(value)}`;
    case 'token':
      return `/token/${encodeURIComponent(upperAddress(value))}`;
    case 'name':
      return `/name/${value.toLowerCase()}`;
    default:
      return undefined;
  }
}

function upperAddress(value: string): string {
  const dot = value.indexOf('.');
  return value.slice(0, dot).toUpperCase() + value.slice(dot);
}

/** The network that an address belongs to, by its version letters. */
export function networkOfAddress(text: string): 'mainnet' | 'testnet' | undefined {
  if (/^S[PM]/i.test(text)) return 'mainnet';
  if (/^S[TN]/i.test(text)) return 'testnet';
  return undefined;
}
