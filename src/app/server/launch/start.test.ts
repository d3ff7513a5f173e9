// The service as a whole, in this process: a gateway that starts without database and engine, and starts that fail.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as DevServer from './devServer.ts';
import type * as Vite from 'vite';
import { noteTokenPlace, readTokenPlace } from '#features/access/server/tokenPlace.ts';
import { parseSettings } from './flags.ts';
import type { Settings } from './settings.ts';
import { startService, type RunningService } from './start.ts';
import { ask } from '#service/http/testService.fixture.ts';
import { atEnd, keepFolder } from '#service/files/keep.fixture.ts';

const front = vi.hoisted(() => ({ fails: false }));
// The real bundler, but one that may fail to close.
vi.mock('./devServer.ts', async (load) => {
  const real = await load<typeof DevServer>();
  const openDevFront: typeof real.openDevFront = async (options) => {
    const opened = await real.openDevFront(options);
    const close = async (): Promise<void> => {
      await opened.close();
      if (front.fails) throw new Error('the front failed');
    };
    return { ...opened, close };
  };
  return { ...real, openDevFront };
});

// It watches no files: to look at them all takes longer than the rest of a start.
vi.mock('vite', async (load) => {
  const real = await load<typeof Vite>();
  const createServer = (options: Vite.InlineConfig) =>
    real.createServer({ ...options, server: { ...options.server, watch: null } });
  return { ...real, createServer };
});

let folder = '';

beforeEach(() => {
  folder = keepFolder();
});

/** `--dev`: the bundler's middleware stands in for a build, which takes long. */
function settingsOf(args: readonly string[], environment: Record<string, string> = {}): Settings {
  const parsed = parseSettings(['--port', '0', '--data', join(folder, 'data'), '--dev', ...args], environment, folder);
  if (parsed.kind !== 'settings') throw new Error(JSON.stringify(parsed));
  return parsed.settings;
}

async function start(settings: Settings): Promise<RunningService> {
  const service = await startService(settings, () => undefined);
  atEnd(() => service.close());
  return service;
}

const GATEWAY = ['--base-url', 'http://127.0.0.1:9'];
const KEY = { STUDIO_API_KEY: 'secret-of-the-remote' };

describe('a gateway', () => {
  it('starts without its remote, and makes a token but no database', async () => {
    mkdirSync(join(folder, 'data'));
    await noteTokenPlace(join(folder, 'data'), 'where/an-earlier-studio-had-them');
    const service = await start(settingsOf(GATEWAY, KEY));
    expect(await readTokenPlace(join(folder, 'data'))).toBeNull();
    const link = new URL(service.link);
    expect(link.port).toBe(String(service.port));
    expect(link.searchParams.get('token')).toMatch(/^[\w-]{43}$/);
    expect(existsSync(join(folder, 'data', 'token'))).toBe(true);
    expect(existsSync(join(folder, 'data', 'database'))).toBe(false);
    const headers = { Authorization: `Bearer ${link.searchParams.get('token')}` };
    expect((await ask(service.port, '/api/session', { headers })).json()).toEqual({
      mode: 'gateway',
      remote: 'http://127.0.0.1:9',
      learning_rate_is_absolute: null,
      who: null,
      rights: 'own',
    });
    const down = await ask(service.port, '/api/v1/models', { headers });
    expect(down.status).toBe(502);
    expect(down.text).not.toContain(KEY.STUDIO_API_KEY);
  });

  it('signs in with the printed link, also after a restart', async () => {
    const service = await start(settingsOf(GATEWAY, KEY));
    const { pathname, search } = new URL(service.link);
    const answer = await ask(service.port, pathname + search);
    expect(answer.status).toBe(303);
    const Cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect((await ask(service.port, '/api/session', { headers: { Cookie } })).status).toBe(200);
    await service.close();
    const again = await start({ ...settingsOf(GATEWAY, KEY), port: service.port });
    expect((await ask(again.port, '/api/session', { headers: { Cookie } })).status).toBe(200);
    const signOut = { method: 'DELETE', headers: { Cookie, 'Sec-Fetch-Site': 'same-origin' } };
    expect((await ask(again.port, '/api/session', signOut)).status).toBe(204);
    await again.close();
    const third = await start({ ...settingsOf(GATEWAY, KEY), port: service.port });
    expect((await ask(third.port, '/api/session', { headers: { Cookie } })).status).toBe(401);
  });

  it('never shows a token that its operator set', async () => {
    const service = await start(settingsOf(GATEWAY, { ...KEY, STUDIO_TOKEN: 'operator-token' }));
    expect(service.link).toBe(`http://127.0.0.1:${service.port}/`);
    expect(existsSync(join(folder, 'data', 'token'))).toBe(false);
    const opening = new URL(service.makeOpeningLink());
    expect(opening.href).not.toContain('operator-token');
    expect((await ask(service.port, opening.pathname + opening.search)).headers['set-cookie']).toHaveLength(1);
    expect((await ask(service.port, opening.pathname + opening.search)).headers.location).toBe('/?signin=rejected');
  });

  it('shows its public address', async () => {
    const service = await start(settingsOf([...GATEWAY, '--public-url', 'https://studio.example.com'], KEY));
    expect(service.link).toMatch(/^https:\/\/studio\.example\.com\/\?token=[\w-]{43}$/);
    expect((await ask(service.port, '/healthz', { headers: { Host: 'studio.example.com' } })).status).toBe(200);
  });

  it('in development the page and its sources come from the bundler, behind the same guard', async () => {
    const service = await start(settingsOf(GATEWAY, KEY));
    const page = await ask(service.port, '/');
    expect(page.status).toBe(200);
    const nonce = /'nonce-([\w-]+)'/.exec(String(page.headers['content-security-policy']))?.[1];
    expect(page.text).toContain(`nonce="${nonce}"`);
    expect(page.text).toContain('/@vite/client');
    expect(page.text).not.toContain('__CSP_NONCE__');
    const source = await ask(service.port, '/src/app/web/main.tsx');
    expect(source.status).toBe(200);
    expect(source.headers['x-content-type-options']).toBe('nosniff');
    expect(source.headers['access-control-allow-origin']).toBeUndefined();
    expect((await ask(service.port, '/src/app/web/main.tsx', { headers: { Host: 'evil.example' } })).status).toBe(403);
    expect((await ask(service.port, '/api/v1/models')).status).toBe(401);
  });

  it('ends, and gives its port free', async () => {
    const service = await startService(settingsOf(GATEWAY, KEY), () => undefined);
    await service.close();
    await expect(ask(service.port, '/healthz')).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('an end that fails', () => {
  it('in the front still closes the backend', async () => {
    const service = await startService(settingsOf(GATEWAY, KEY), () => undefined);
    // What a gateway's backend holds is its connections.
    const destroyed = vi.spyOn(Agent.prototype, 'destroy');
    front.fails = true;
    await expect(service.close()).rejects.toThrow('the front failed');
    front.fails = false;
    expect(destroyed).toHaveBeenCalledTimes(1);
    destroyed.mockRestore();
  });
});

describe('a start that fails', () => {
  it('says it and leaves nothing open', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const settings = { ...settingsOf(GATEWAY, KEY), dataDir: file };
    await expect(startService(settings, () => undefined)).rejects.toThrow(new RegExp(file));
  });

  it('a port in use is found before anything is made', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(startService({ ...settingsOf(GATEWAY, KEY), port }, () => undefined)).rejects.toThrow(String(port));
    expect(existsSync(join(folder, 'data'))).toBe(false);
    other.close();
  });
});
