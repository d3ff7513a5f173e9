import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkDisk, checkNode, checkPort, checkTrainer, judgeSpace } from './machineChecks.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

it.each([
  ['20.18.3', 'problem'],
  ['18.99.0', 'problem'],
  ['20.19.0', 'ok'],
  ['24.1.0', 'ok'],
])('Node %s: %s', (version, state) =>
  expect(checkNode(version)).toMatchObject({ state, text: expect.stringContaining(version) }),
);

describe('the port', () => {
  it('is free', async () => {
    const port = await serve(() => undefined);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(await checkPort('127.0.0.1', port)).toMatchObject({ state: 'ok', text: `127.0.0.1:${port} is free.` });
    expect(await checkPort('::1', 0)).toMatchObject({ text: expect.stringMatching(/free|no address/) });
    expect(await checkPort('127.0.0.1', 0)).toMatchObject({ state: 'ok', text: '127.0.0.1 has free ports.' });
  });

  it('is used by another program', async () => {
    const port = await serve((_, answer) => void answer.end('<h1>Hello</h1>'));
    expect(await checkPort('127.0.0.1', port)).toMatchObject({
      state: 'problem',
      text: expect.stringMatching(/already in use.*--port/),
    });
  });

  it('is used by a studio, which is no problem', async () => {
    const port = await serve((_, answer) => void answer.end('{"status":"ok","version":"1.2.3"}'));
    expect(await checkPort('127.0.0.1', port)).toMatchObject({
      state: 'note',
      text: expect.stringContaining('Model Studio 1.2.3 runs on'),
    });
  });

  it('is of an address that this machine has not', async () =>
    expect(await checkPort('192.0.2.1', 4600)).toMatchObject({
      state: 'problem',
      text: expect.stringMatching(/no address 192\.0\.2\.1.*--host/),
    }));
});

describe('the disk', () => {
  it.each([
    [1024 ** 2 * 100, 'problem', '100 MiB'],
    [1024 ** 3, 'note', '1.0 GiB'],
    [1024 ** 3 * 50, 'ok', '50.0 GiB'],
  ])('%d bytes: %s', (free, state, amount) =>
    expect(judgeSpace(free, '/data')).toMatchObject({ state, text: expect.stringContaining(amount) }),
  );

  it('is that of the nearest folder', async () =>
    expect(await checkDisk(join(tmpdir(), 'no', 'such', 'folder'))).toMatchObject({
      text: expect.stringMatching(/^[\d.]+ [GM]iB are free for .*folder/),
    }));
});

describe('the trainer', () => {
  it('is none', async () =>
    expect(await checkTrainer('none', '')).toEqual({
      name: 'Trainer',
      state: 'ok',
      text: 'None here: runs wait for workers (--trainer none).',
    }));

  it('is built in', async () => expect(await checkTrainer(null, '')).toMatchObject({ state: 'ok' }));

  it('is found by its path or in PATH', async () => {
    expect(await checkTrainer([process.execPath, 'x.js'], '')).toMatchObject({ state: 'ok' });
    const folder = join(process.execPath, '..');
    expect(await checkTrainer(['node'], `/no/such:${folder}`)).toMatchObject({
      state: 'ok',
      text: expect.stringContaining(folder),
    });
  });

  it('is missing', async () => {
    expect(await checkTrainer(['/no/such/program'], '/bin')).toMatchObject({
      state: 'problem',
      text: expect.stringContaining('/no/such/program, which is not there'),
    });
    expect(await checkTrainer(['no-such-program'], '/bin')).toMatchObject({
      text: expect.stringContaining('which no folder of PATH has'),
    });
  });
});
