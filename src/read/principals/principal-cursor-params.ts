/** An address, or a contract of it: the cursor of lists that are ordered by name. */
export const principalPattern = '^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}(\\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39})?$';
