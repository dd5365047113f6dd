import { isAddressLike, type MempoolFilter, orders } from '../../mempool/filter.ts';
import { setQuery } from '../../router.ts';
import { typeWords } from '../../words/transaction.ts';

const types = ['token_transfer', 'contract_call', 'smart_contract'];

/** Chooses which pending transactions are listed, and in which order. The choice is part of the address. */
export function MempoolFilters({ filter: { type, order, address } }: { filter: MempoolFilter }) {
  const wrong = address !== '' && !isAddressLike(address);
  return (
    <form class="filters" onSubmit={event => event.preventDefault()}>
      <label>
        Type{' '}
        <select value={type} onChange={event => setQuery({ type: event.currentTarget.value })}>
          <option value="">all</option>
          {types.map(each => (
            <option key={each} value={each}>
              {typeWords(each)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Order{' '}
        <select value={order} onChange={event => setQuery({ order: event.currentTarget.value })}>
          {Object.entries(orders).map(([id, { label }]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        Address{' '}
        <input
          value={address}
          placeholder="of sender or recipient"
          spellcheck={false}
          aria-invalid={wrong}
          onInput={event => setQuery({ address: event.currentTarget.value.trim() })}
        />
      </label>
      {wrong && <span class="soft">This is not a whole address yet: all are shown.</span>}
    </form>
  );
}
