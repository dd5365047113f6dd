/**
 * The release of the third version whose shapes a response has: 9.0, or 9.3 with the fields added since. Routes added since
 * 9.0 have only one shape. `CAIRN_COMPAT` sets the default; the request header `X-API-Version` overrides it.
 */
export type Shape = '9.0' | '9.3';

/** The release that responses follow: 8 is that of the first two versions, whose third version is the one of 9.0. */
export type Release = '8' | Shape;
