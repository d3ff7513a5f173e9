// Projects that are being imported are hidden as deleted ones are, from this moment on: so far ahead that none is swept.

/** `deleted_at` of a project that is not whole yet. */
export const INCOMPLETE = new Date('9999-01-01T00:00:00.000Z');
