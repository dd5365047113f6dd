/** Settings that were renamed: present name → former name, which is still read. */
export const formerNames: Readonly<Record<string, string>> = {
  CAIRN_NODE_RESPONSE_LIMIT: 'CAIRN_NODE_ANSWER_LIMIT',
  CAIRN_STORE_ALL_EVENTS: 'CAIRN_KEEP_ALL',
  CAIRN_RESPONSE_CACHE_BYTES: 'CAIRN_CACHE_BYTES',
  CAIRN_ITEM_CACHE_BYTES: 'CAIRN_PIECES_BYTES',
};
