/** A list whose page would take unbounded work; says what to request instead. */
export class UnboundedList extends Error {
  override name = 'UnboundedList';
}
