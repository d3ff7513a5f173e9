// The value of the session cookie: a random id and an expiry, signed with the studio's token. Any process with the
// same token can check it, and a new token ends all sessions.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EndedSessions } from './endedSessions.ts';

export interface Sessions {
  /** The value of a new session's cookie. `tokenHash`: of the named token that it began with, else empty; ends the id. */
  create(tokenHash: string): string;
  /** The session's id; null for a value that is forged, expired or signed out. */
  findId(value: string): string | null;
  /** Ends the session of this cookie for good, if it is a valid one. Throws when that can't be stored. */
  end(value: string): void;
}

export const SESSION_SECONDS = 30 * 24 * 3600;

/** `<id>.<expiry, Unix seconds>.<signature>`; the id of a named token's session is longer by the token's hash. */
const VALUE = /^([\w-]{22}(?:[\w-]{43})?)\.(\d{1,11})\.([\w-]{43})$/;

export function openSessions(options: {
  readonly token: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly random: (bytes: number) => string;
  readonly ended: EndedSessions;
}): Sessions {
  const { token, now, random, ended } = options;
  const sign = (text: string): Buffer => createHmac('sha256', token).update(`model-studio session v2 ${text}`).digest();
  const findId = (value: string): string | null => {
    const [, id = '', expiry = '', signature = ''] = VALUE.exec(value) ?? [];
    if (id === '' || !timingSafeEqual(sign(`${id}.${expiry}`), Buffer.from(signature, 'base64url'))) return null;
    return Number(expiry) * 1000 > now() && !ended.has(id) ? id : null;
  };
  return {
    create(tokenHash) {
      const text = `${random(16)}${tokenHash}.${Math.floor(now() / 1000) + SESSION_SECONDS}`;
      return `${text}.${sign(text).toString('base64url')}`;
    },
    findId,
    end(value) {
      const id = findId(value);
      if (id !== null) ended.add(id);
    },
  };
}
