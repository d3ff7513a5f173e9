// Signing in and out. The token goes to the service once and comes back as a cookie that scripts can't read.
import { ROUTES } from '#shared/contract/routes.ts';
import { requestText, SAME_ORIGIN, type Connection } from './request.ts';

/** Throws ApiFailure: 401 for a wrong token, 429 after too many of them. */
export async function signIn(token: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await requestText(ROUTES.session, { method: 'POST', body: { token }, connection });
}

/** Forgets the cookie. Throws ApiFailure. */
export async function signOut(connection: Connection = SAME_ORIGIN): Promise<void> {
  await requestText(ROUTES.session, { method: 'DELETE', connection });
}
