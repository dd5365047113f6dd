/** A token that an account holds; of sBTC also what waits for a withdrawal. */
export type Held = { asset: string; balance: string; locked?: string };

const spendable = '.sbtc-token::sbtc-token';
const suffix = '-locked';

/** Tokens of an account, where locked sBTC are no token of their own: their contract counts both as one. */
export function withLockedSbtc(tokens: readonly Held[]): Held[] {
  const isLocked = ({ asset }: Held) => asset.endsWith(`${spendable}${suffix}`);
  const locked = new Map(tokens.filter(isLocked).map(each => [each.asset.slice(0, -suffix.length), each.balance]));
  const shown = tokens
    .filter(each => !isLocked(each))
    .map(each => {
      const waiting = locked.get(each.asset);
      locked.delete(each.asset);
      return waiting === undefined || waiting === '0' ? each : { ...each, locked: waiting };
    });
  // Whoever has locked everything has no other row.
  const alone = [...locked].filter(([, balance]) => balance !== '0');
  return [...shown, ...alone.map(([asset, balance]) => ({ asset, balance: '0', locked: balance }))];
}
