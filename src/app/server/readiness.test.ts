import { describe, expect, it, vi } from 'vitest';
import type { CheckResult, Readiness } from './backend.ts';
import { checkWithin, toReadyRoute } from './readiness.ts';
import type { RouteContext } from '#service/http/route.ts';
import { openServer } from './server.ts';
import { ask, openTestService } from '#service/http/testService.fixture.ts';
import { atEnd, keep } from '#service/files/keep.fixture.ts';

describe('GET /readyz', () => {
  it.each([
    [{ database: 'ok', engine: 'ok' }, 200, 'ready'],
    [{ database: 'unused', engine: 'unknown' }, 200, 'ready'],
    [{ database: 'failed', engine: 'ok' }, 503, 'not_ready'],
    [{ database: 'ok', engine: 'failed' }, 503, 'not_ready'],
  ] as const)('%j is %i', async (checks, status, word) => {
    const service = await keep(openTestService({ readiness: async () => checks }));
    const answer = await service.ask('/readyz');
    expect(answer.status).toBe(status);
    expect(answer.json()).toEqual({ status: word, checks });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('says that the service is starting in the same form', async () => {
    const http = await openServer({ host: '127.0.0.1', port: 0, random: () => 'id' });
    atEnd(() => http.close(0));
    const answer = await ask(http.port, '/readyz');
    expect(answer.status).toBe(503);
    expect(answer.json()).toEqual({ status: 'starting', checks: { database: 'unknown', engine: 'unknown' } });
  });

  it('looks once for all who ask at a time, and again after a second', async () => {
    let looks = 0;
    let time = 0;
    const finishes: ((checks: Readiness) => void)[] = [];
    const look = (): Promise<Readiness> => {
      looks += 1;
      return new Promise((resolve) => finishes.push(resolve));
    };
    const route = toReadyRoute(look, () => time);
    const request = async (): Promise<number> => (await route.handle({} as RouteContext)).status;
    const first = [request(), request()];
    time = 5_000;
    const third = request();
    await vi.waitFor(() => expect(finishes).toHaveLength(1));
    finishes[0]?.({ database: 'failed', engine: 'ok' });
    expect(await Promise.all([...first, third])).toEqual([503, 503, 503]);
    time = 5_999;
    expect(await request()).toBe(503);
    expect(looks).toBe(1);
    time = 6_000;
    const later = request();
    await vi.waitFor(() => expect(finishes).toHaveLength(2));
    finishes[1]?.({ database: 'ok', engine: 'ok' });
    expect(await later).toBe(200);
    expect(looks).toBe(2);
  });
});

describe('checkWithin', () => {
  const never = (): Promise<void> => new Promise(() => undefined);
  const refuse = async (): Promise<void> => {
    throw new Error('password of the database');
  };
  const looks: readonly [string, () => Promise<unknown>, CheckResult][] = [
    ['what answers', async () => 'an answer', 'ok'],
    ['what refuses', refuse, 'failed'],
    ['what never answers', never, 'failed'],
  ];
  it.each(looks)('%s', async (_, look, result) => {
    expect(await checkWithin(look, 20)).toBe(result);
  });
});
