// The files that a worker sends over HTTP: which are taken, and what ends their upload.
import { existsSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { toPath } from '#core/contract/path.ts';
import { leaseSchema } from '#features/training/shared/worker.ts';
import { makeNamedToken, TOKEN } from '#service/http/testService.fixture.ts';
import { createRun, openTrainingService } from './trainingService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const MiB = 1024 ** 2;
const GPU = makeNamedToken('gpu-1');
const opened = await keep(
  openTrainingService(null, undefined, {
    tokens: GPU.tokens,
    fileLimits: { bytes: MiB, count: 3, allBytes: 2 * MiB, spareBytes: 1 },
  }),
);
await createRun(opened);
const answer = await opened.service.post('/api/v1/studio/workers/lease', { name: 'gpu-1', is_built_in: false });
const lease = leaseSchema.parse(answer.json());

const put = (name: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  opened.service.askSigned(`/api/v1/studio/workers/leases/${lease.lease_id}/output/${name}?kind=result`, {
    method: 'PUT',
    body,
    headers: { 'Content-Type': 'application/octet-stream', ...headers },
  });
const listed = () => readdir(lease.job.output);

/** Sends parts of a file for as long as it is told, without its length. Resolves to what cut it off. */
function openSlow(token: string): { write(bytes: Buffer): void; readonly ended: Promise<string> } {
  const request = httpRequest({
    port: opened.service.port,
    host: '127.0.0.1',
    path: `${toPath('/api/v1/studio/workers/leases/{leaseId}/output/{name}', [lease.lease_id, 'slow.bin'])}?kind=result`,
    method: 'PUT',
    agent: false,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/octet-stream' },
  });
  const ended = new Promise<string>((resolve) => {
    request.on('error', () => resolve('cut'));
    request.on('response', (response) => resolve(String(response.statusCode)));
  });
  return { write: (bytes) => void request.write(bytes), ended };
}

it('a name that no file could be found by again is refused', async () => {
  const refused = await put('x.part-1', 'weights');
  expect([refused.status, refused.json()]).toMatchObject([400, { error: { code: 'invalid_request', param: 'name' } }]);
});

it('a file beyond the limits is refused in words', async () => {
  const refused = await put('large.bin', Buffer.alloc(MiB + 1));
  expect([refused.status, refused.json()]).toMatchObject([413, { error: { code: 'file_too_large' } }]);
  expect(await listed()).toEqual([]);
});

it('a file whose length nobody said is refused as soon as it is too large', async () => {
  const slow = openSlow(TOKEN);
  slow.write(Buffer.alloc(MiB / 2));
  await expect.poll(listed).toEqual([expect.stringContaining('slow.bin.part-')]);
  slow.write(Buffer.alloc(MiB));
  expect(await slow.ended).toBe('413');
  await expect.poll(listed).toEqual([]);
});

it('a file that arrives is cut off when its token is revoked, and nothing of it stays', async () => {
  const slow = openSlow(GPU.token);
  slow.write(Buffer.alloc(1000));
  await expect.poll(listed).toHaveLength(1);
  GPU.revoke();
  expect(await slow.ended).toBe('cut');
  await expect.poll(listed).toEqual([]);
  expect(opened.service.log).toEqual([]);
});

it('a run that is deleted ends its lease, and leaves no file', async () => {
  expect((await put('1.bin', 'weights')).status).toBe(204);
  const event = JSON.stringify({ type: 'checkpoint', step: 1, file: '1.bin' });
  const tell = () =>
    opened.service.post(`/api/v1/studio/workers/leases/${lease.lease_id}/lines`, {
      from: 0,
      lines: [event],
    });
  expect((await tell()).status).toBe(200);
  await opened.studio.database.executeSql('update studio.experiments set deleted_at = now() where id = $1', [
    lease.experiment_id,
  ]);
  await expect.poll(async () => (await tell()).status).toBe(409);
  await expect.poll(() => existsSync(lease.job.output)).toBe(false);
  expect((await put('2.bin', 'weights')).status).toBe(409);
  expect(existsSync(lease.job.output)).toBe(false);
});
