// Schema building blocks shared by the contract's files. Source: SPEC 2.
// zod/mini: the browser loads only what is used. jitless: the CSP has no unsafe-eval.
import * as z from 'zod/mini';

z.config({ jitless: true });

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID of any version, as SPEC 2.1 asks of every id. */
export const uuidSchema = z.string().check(z.regex(UUID), z.meta({ format: 'uuid' }));

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export const countSchema = z.int().check(z.minimum(0));
