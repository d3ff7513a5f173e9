import { afterEach, expect, it, vi } from 'vitest';
import { signOut } from './signIn.ts';

afterEach(() => vi.unstubAllGlobals());

function stubAnswer(status: number, body: unknown = null): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body === null ? null : JSON.stringify(body), { status })));
}

it('a sign-out that took effect has nothing to say, also where the session had ended before', async () => {
  stubAnswer(204);
  expect(await signOut()).toBeNull();
  stubAnswer(401, { error: { message: 'Sign in first.' } });
  expect(await signOut()).toBeNull();
});

it('a sign-out that could not be stored took effect, and its warning is given', async () => {
  stubAnswer(500, { error: { message: 'The old cookie works again after a restart.', code: 'sign_out_not_stored' } });
  expect(await signOut()).toBe('The old cookie works again after a restart.');
});

it('any other failure means that the person is still signed in', async () => {
  stubAnswer(503, { error: { message: 'The studio is ending.' } });
  await expect(signOut()).rejects.toThrow('The studio is ending.');
});
