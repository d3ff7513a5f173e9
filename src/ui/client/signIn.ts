// Signs in and out. The token goes to the service once and comes back as a cookie that scripts can't read.
import { ApiFailure, isSignedOut } from './failure.ts';
import { requestText, SAME_ORIGIN, type Connection } from './request.ts';
import { announceSession } from './sessionNews.ts';

/** Throws ApiFailure: 401 for a wrong token, 429 after too many of them. */
export async function signIn(token: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await requestText('/api/session', { method: 'POST', body: { token }, connection });
  announceSession();
}

/** The service removed the cookie but could not store the sign-out. The failure's message says what follows. */
const NOT_STORED = 'sign_out_not_stored';

/**
 * Deletes the cookie. Resolves to a warning about a successful sign-out, or null. Throws ApiFailure: still signed in.
 */
export async function signOut(connection: Connection = SAME_ORIGIN): Promise<string | null> {
  const warning = await forgetCookie(connection);
  announceSession();
  return warning;
}

async function forgetCookie(connection: Connection): Promise<string | null> {
  try {
    await requestText('/api/session', { method: 'DELETE', connection });
    return null;
  } catch (error) {
    if (isSignedOut(error)) return null;
    if (error instanceof ApiFailure && error.code === NOT_STORED) return error.message;
    throw error;
  }
}
