// Named tokens over HTTP: by header and by session, revoked at once, read only; and what is recorded of changes.
import { request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeToken, toTokenHash, type NamedToken } from '#features/access/server/tokens.ts';
import { NOTE, openTestService, PROJECT_ID, TOKEN, type Answer } from '#service/http/testService.fixture.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';
import { keep } from '#service/files/keep.fixture.ts';

const tokenOf = (letter: string): string => makeToken(() => letter.repeat(43));
const WRITER = tokenOf('w');
const READER = tokenOf('r');
const known = new Map<string, NamedToken>();
let isAway = false;

const find = async (hash: string): Promise<NamedToken | null> => {
  if (isAway) throw new DatabaseUnavailable('The database is away.');
  return known.get(hash) ?? null;
};
const service = await keep(openTestService({ tokens: { find } }));
beforeEach(() => {
  isAway = false;
  service.changes.length = 0;
  const add = (token: string, name: string, isReadOnly: boolean) =>
    known.set(toTokenHash(token) ?? '', { name, isReadOnly, createdAt: new Date(0) });
  add(WRITER, 'ada', false);
  add(READER, 'bea', true);
});

const signed = (token: string) => ({ Authorization: `Bearer ${token}` });
const JSON_TYPE = { 'Content-Type': 'application/json' };
const projects = (token: string): Promise<Answer> => service.ask('/api/v1/public/projects', { headers: signed(token) });
const notePath = `/api/v1/studio/notes/${PROJECT_ID}`;
const change = JSON.stringify({
  name: null,
  tags: [],
  is_starred: true,
  is_archived: false,
  text: '',
  revision: NOTE.revision,
});
const saveNote = (headers: Record<string, string>): Promise<Answer> =>
  service.ask(notePath, { method: 'PUT', headers: { ...JSON_TYPE, ...headers }, body: change });

async function signIn(token: string): Promise<string> {
  const body = JSON.stringify({ token });
  const answer = await service.ask('/api/session', { method: 'POST', headers: JSON_TYPE, body });
  return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? `${answer.status}`;
}

const revoke = (token: string): void => void known.delete(toTokenHash(token) ?? '');

it.each([
  ['the owner', TOKEN, { who: null, rights: 'own' }],
  ['the holder of a token', WRITER, { who: 'ada', rights: 'write' }],
  ['the holder of a token that may only read', READER, { who: 'bea', rights: 'read' }],
])('the session tells %s whose token it is and what it may do, by header and by cookie', async (_, token, expected) => {
  const answers = [
    await service.ask('/api/session', { headers: signed(token) }),
    await service.ask('/api/session', { headers: { Cookie: await signIn(token) } }),
  ];
  for (const answer of answers) expect(answer.json()).toMatchObject(expected);
});

describe('a named token', () => {
  it('is let in by its header until it is revoked', async () => {
    expect((await projects(WRITER)).status).toBe(200);
    expect((await projects(tokenOf('x'))).status).toBe(401);
    revoke(WRITER);
    expect((await projects(WRITER)).json()).toMatchObject({ error: { code: 'wrong_token' } });
    expect((await projects(TOKEN)).status).toBe(200);
  });

  it('ends what it began when it is revoked, by its header or by a session', async () => {
    const send = (headers: Record<string, string>) => {
      const { port } = service;
      const all = { ...JSON_TYPE, ...headers };
      const request = httpRequest({
        port,
        host: '127.0.0.1',
        path: notePath,
        method: 'PUT',
        agent: false,
        headers: all,
      });
      request.write('{');
      return new Promise<string>((resolve) => {
        request.on('error', () => resolve('cut')).on('response', ({ statusCode }) => resolve(String(statusCode)));
      });
    };
    const ends = [send(signed(WRITER)), send({ Cookie: await signIn(WRITER), 'Sec-Fetch-Site': 'same-origin' })];
    const own = send(signed(TOKEN));
    await wait(300);
    // Nobody knows while the database is away.
    isAway = true;
    await wait(1_500);
    isAway = false;
    await expect(Promise.race([...ends, own, wait(100, 'going on')])).resolves.toBe('going on');
    revoke(WRITER);
    expect(await Promise.all(ends)).toEqual(['cut', 'cut']);
    await expect(Promise.race([own, wait(1_500, 'going on')])).resolves.toBe('going on');
  });

  it('signs in, and its session ends when it is revoked', async () => {
    const Cookie = await signIn(WRITER);
    expect(Cookie).not.toContain(WRITER);
    const ask = () => service.ask('/api/v1/public/projects', { headers: { Cookie } });
    expect((await ask()).status).toBe(200);
    revoke(WRITER);
    const refused = await ask();
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('was revoked')]);
    expect(await signIn(WRITER)).toBe('401');
    expect((await service.ask('/api/v1/public/projects', { headers: { Cookie: await signIn(TOKEN) } })).status).toBe(
      200,
    );
  });

  it('signs in by a link', async () => {
    const link = (token: string) => service.ask(`/?token=${token}`, { headers: { 'Sec-Fetch-Dest': 'document' } });
    expect((await link(READER)).headers['set-cookie']).toHaveLength(1);
    expect((await link(tokenOf('x'))).headers.location).toBe('/?signin=rejected');
  });

  it('can not be judged while the database is away; the own token needs none', async () => {
    isAway = true;
    expect((await projects(WRITER)).status).toBe(503);
    expect((await projects(TOKEN)).status).toBe(200);
    expect((await projects('wrong')).status).toBe(401);
  });
});

describe('a token that may only read', () => {
  it('reads, and is refused with the reason when it would change something', async () => {
    expect((await projects(READER)).status).toBe(200);
    const refused = await saveNote(signed(READER));
    expect([refused.status, refused.json()]).toEqual([
      403,
      {
        error: expect.objectContaining({
          code: 'read_only_token',
          message: expect.stringContaining('of bea may only read'),
        }),
      },
    ]);
    const Cookie = await signIn(READER);
    expect((await saveNote({ Cookie, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(403);
    expect(service.changes).toEqual([]);
    expect((await service.ask('/api/v1/studio/nothing', { method: 'POST', headers: signed(READER) })).status).toBe(404);
  });

  it('asks a model and signs out, which changes nothing', async () => {
    const body = JSON.stringify({ model: 'org/model', messages: [{ role: 'user', content: 'Hi' }] });
    const headers = { ...JSON_TYPE, ...signed(READER) };
    expect((await service.ask('/api/v1/chat/completions', { method: 'POST', headers, body })).status).not.toBe(403);
    const Cookie = await signIn(READER);
    const out = { method: 'DELETE', headers: { Cookie, 'Sec-Fetch-Site': 'same-origin' } };
    expect((await service.ask('/api/session', out)).status).toBe(204);
    expect(service.changes).toEqual([]);
  });
});

describe('a change', () => {
  it('is recorded with the name of the token, when it was made', async () => {
    expect((await saveNote(signed(WRITER))).status).toBe(200);
    expect((await saveNote(signed(TOKEN))).status).toBe(200);
    const entry = { method: 'PUT', route: '/api/v1/studio/notes/{nodeId}', path: notePath };
    expect(service.changes).toEqual([
      { who: 'ada', ...entry },
      { who: null, ...entry },
    ]);
  });

  it('that the database may have made too late is said to be so, and recorded once it was made', async () => {
    let end: (mayBeDone: boolean) => void = () => undefined;
    const late = await openTestService({
      tokens: { find: async () => null },
      routes: () => [
        {
          method: 'POST',
          path: '/api/v1/late',
          handle() {
            const mayBeDone = new Promise<boolean>((resolve) => {
              end = resolve;
            });
            throw new DatabaseUnavailable('Away. Try again.', { message: 'It may be done. Look first.', mayBeDone });
          },
        },
      ],
    });
    for (const mayBeDone of [false, true]) {
      const answer = await late.ask('/api/v1/late', { method: 'POST', headers: signed(TOKEN) });
      expect([answer.status, answer.json()]).toMatchObject([503, { error: { code: 'may_be_done' } }]);
      expect(answer.text).toContain('Look first');
      expect(late.changes).toEqual([]);
      end(mayBeDone);
    }
    await expect.poll(() => late.changes).toMatchObject([{ path: '/api/v1/late', isCertain: false }]);
    await late.close();
  });

  it('that failed is not', async () => {
    const headers = { ...JSON_TYPE, ...signed(WRITER) };
    expect((await service.ask(notePath, { method: 'PUT', headers, body: '{}' })).status).toBe(400);
    expect(service.changes).toEqual([]);
  });
});
