import { useApi } from '../../api/loaded.ts';

const meanings: Readonly<Record<string, string>> = {
  mainnet: 'The main network: its coins have value.',
  testnet: 'A network for tests: its coins have no value.',
  devnet: 'A chain that is simulated on this server: its coins have no value.',
};

/** Which network the pages are about, so that a simulated chain is not taken for the real one. */
export function NetworkBadge() {
  const network = useApi('/extended/v1/status/network');
  if (network.state !== 'ready') return null;
  const { name, chain_id } = network.data;
  const id = `0x${chain_id.toString(16).padStart(8, '0')}`;
  return (
    <span class={`network ${name}`} title={`${meanings[name] ?? 'A network of its own.'} Chain id ${id}`}>
      {name === 'custom' ? id : name}
    </span>
  );
}
