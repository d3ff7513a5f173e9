// Named tokens: what they look like, and what a store of them does. Pure. The token itself is shown once and kept nowhere.
import { createHash } from 'node:crypto';

export interface NamedToken {
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly createdAt: Date;
  /** The only experiment that it is for, whose worker has it; missing: any. */
  readonly run?: string;
}

export interface TokenStore {
  /** The token with this hash (`toTokenHash`); null: there is none. Sees at once what other processes changed. */
  find(hash: string): Promise<NamedToken | null>;
  /** Oldest first. */
  list(): Promise<readonly NamedToken[]>;
  /** `taken`: there is a token of this name. */
  add(token: NamedToken, hash: string): Promise<'added' | 'taken'>;
  /** false: there is no token of this name. */
  revoke(name: string): Promise<boolean>;
}

const PREFIX = 'ms_';
const BYTES = 32;
const TOKEN = /^ms_[\w-]{43}$/;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@+-]{0,59}$/u;

/** A new token, made of 32 random bytes as base64url. */
export const makeToken = (random: (bytes: number) => string): string => `${PREFIX}${random(BYTES)}`;

/** base64url SHA-256 of a text that has the form of a named token; null for any other. */
export const toTokenHash = (token: string): string | null =>
  TOKEN.test(token) ? createHash('sha256').update(token).digest('base64url') : null;

/**
 * Whether a person or program can be called so: 1 to 60 letters, digits, spaces and `. _ @ + -`. The page calls whoever has
 * the studio's own token Owner: nobody else may be called so.
 */
export const isTokenName = (name: string): boolean =>
  NAME.test(name) && !name.endsWith(' ') && name.toLowerCase() !== 'owner';
