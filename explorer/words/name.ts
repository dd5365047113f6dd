const states: Readonly<Record<string, string>> = {
  active: 'Active',
  grace: 'Expired, but its owner can still renew it',
  expired: 'Expired',
  revoked: 'Revoked',
  burnt: 'Burned',
};

export const stateWords = (state: string): string => states[state] ?? state;

const changes: Readonly<Record<string, string>> = {
  'name-import': 'Imported',
  'name-register': 'Registered',
  'name-update': 'Updated',
  'name-transfer': 'Transferred',
  'name-renewal': 'Renewed',
  'name-revoke': 'Revoked',
  'name-airdrop': 'Given away',
  'name-list': 'Put up for sale',
  'name-unlist': 'Taken off sale',
  'name-purchase': 'Bought',
  'name-burn': 'Burned',
  'name-genesis': 'Part of the first block',
};

export const changeWords = (change: string): string => changes[change] ?? change;
