// The rows of a snapshot over real HTTP: the sample's files come back as they are, in bounded memory.
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestFolders, type TestFolders } from '#service/database/folders.fixture.ts';
import { openStudio } from '#app/server/openStudio.ts';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';
import {
  openTestService,
  SNAPSHOT_ID,
  TOKEN,
  UNKNOWN_ID,
  type TestService,
} from '#service/http/testService.fixture.ts';
import { toPath } from '#core/contract/path.ts';
import { keep } from '#service/files/keep.fixture.ts';

const service = await keep(openTestService());
let readRows: TestService['studio']['readRows'];
beforeEach(() => (readRows = service.studio.readRows));
afterEach(() => (service.studio.readRows = readRows));

describe('the route', () => {
  it('sends a file, one row a line', async () => {
    const answer = await service.askSigned(
      `/api/v1/studio/snapshots/${SNAPSHOT_ID.toUpperCase()}/rows?bucket=validation`,
    );
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"of":"validation","text":"ü"}\n');
    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="test.validation.jsonl"');
    expect(answer.headers['cache-control']).toBe('private, no-cache');
  });

  it('answers HEAD without reading a row', async () => {
    let isRead = false;
    service.studio.readRows = async function* read() {
      isRead = true;
      yield ['{}'];
    };
    const answer = await service.askSigned(`/api/v1/studio/snapshots/${SNAPSHOT_ID}/rows?bucket=training`, {
      method: 'HEAD',
    });
    expect([answer.status, answer.text, isRead]).toEqual([200, '', false]);
    expect(answer.headers['content-disposition']).toContain('test.training.jsonl');
  });

  it.each([
    [`/api/v1/studio/snapshots/${UNKNOWN_ID}/rows?bucket=training`, 404, 'snapshotId', 'snapshot_not_found'],
    ['/api/v1/studio/snapshots/42/rows?bucket=training', 400, 'snapshotId', 'invalid_id'],
    [`/api/v1/studio/snapshots/${SNAPSHOT_ID}/rows`, 400, 'bucket', 'invalid_request'],
    [`/api/v1/studio/snapshots/${SNAPSHOT_ID}/rows?bucket=test`, 400, 'bucket', 'invalid_request'],
    [`/api/v1/studio/snapshots/${SNAPSHOT_ID}/rows?bucket=%0d%0a`, 400, 'bucket', 'invalid_request'],
  ])('%s is %i', async (path, status, param, code) => {
    const answer = await service.askSigned(path);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ error: { param, code } });
  });

  it('is closed, and only read', async () => {
    const path = `/api/v1/studio/snapshots/${SNAPSHOT_ID}/rows?bucket=training`;
    expect((await service.ask(path)).status).toBe(401);
    expect((await service.askSigned(path, { method: 'DELETE' })).status).toBe(405);
  });
});

describe('rows that are many, or that fail', () => {
  const serve = (readRows: TestService['studio']['readRows']): void => void (service.studio.readRows = readRows);

  it('has no content for a part without rows', async () => {
    serve(async function* none() {});
    const answer = await service.askSigned(`/api/v1/studio/snapshots/${SNAPSHOT_ID}/rows?bucket=training`);
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  it('reads no further than the reader takes, and stops when the reader leaves', async () => {
    let pages = 0;
    let ended: (() => void) | null = null;
    const hasEnded = new Promise<void>((resolve) => (ended = resolve));
    serve(async function* endless() {
      try {
        for (;;) {
          pages += 1;
          yield Array.from({ length: 10 }, () => 'x'.repeat(100_000));
        }
      } finally {
        ended?.();
      }
    });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    await new Promise<void>((resolve, reject) => {
      const outgoing = request(
        {
          port: service.port,
          path: `/api/v1/studio/snapshots/${SNAPSHOT_ID}/rows?bucket=training`,
          headers,
        },
        (incoming) => {
          incoming.once('data', () => {
            incoming.pause();
            // A round trip of another request: by then the endless answer would have read on, if it could.
            service
              .askSigned('/api/v1/models')
              .then(() => outgoing.destroy())
              .catch(reject);
          });
          incoming.on('close', resolve);
          incoming.on('error', () => undefined);
        },
      );
      outgoing.on('error', reject);
      outgoing.end();
    });
    await hasEnded;
    // What the sockets of both sides hold, at a megabyte a page.
    expect(pages).toBeLessThan(40);
  });

  it('stops when the reader leaves, though pages have no rows for it', async () => {
    let isReading = false;
    let isOver = false;
    serve(async function* none() {
      try {
        for (;;) {
          isReading = true;
          await new Promise(setImmediate);
          yield [];
        }
      } finally {
        isOver = true;
      }
    });
    const leaving = new AbortController();
    const left = service.askSigned(`/api/v1/studio/snapshots/${SNAPSHOT_ID}/rows?bucket=training`, {
      signal: leaving.signal,
    });
    await expect.poll(() => isReading).toBe(true);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => isOver).toBe(true);
  });

  it('answers 503 when the database is away at the start, and cuts the answer off when it goes later', async () => {
    const away = (): never => {
      throw new DatabaseUnavailable('The database is away.');
    };
    serve(async function* first() {
      yield away();
    });
    expect((await service.askSigned(`/api/v1/studio/snapshots/${SNAPSHOT_ID}/rows?bucket=training`)).status).toBe(503);
    serve(async function* second() {
      yield ['x'.repeat(200_000)];
      yield away();
    });
    await expect(service.askSigned(`/api/v1/studio/snapshots/${SNAPSHOT_ID}/rows?bucket=training`)).rejects.toThrow(
      /aborted|hang up|reset/,
    );
    expect((await service.askSigned('/api/v1/models')).status).toBe(200);
  });
});

describe('with the sample project', () => {
  let folders: TestFolders;
  let studio: Studio;
  beforeAll(async () => {
    folders = await openTestFolders();
    studio = await openStudio({ dataDir: await folders.withDatabase('sample'), sample: true });
  }, 60_000);
  afterAll(async () => {
    await studio.close();
    await folders.remove();
  });

  it.each([
    ['training', 'train'],
    ['validation', 'val'],
  ] as const)('the %s rows are those of the file, byte by byte', async (bucket, file) => {
    const [summary] = await studio.listProjects();
    const project = await studio.findProject(summary?.id ?? '');
    const snapshot = project?.children[1]?.children[0];
    service.studio.findRows = (id, part) => studio.findRows(id, part);
    const answer = await service.askSigned(
      toPath('/api/v1/studio/snapshots/{snapshotId}/rows', [snapshot?.id ?? ''], { bucket }),
    );
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="order-tools-snapshot-1.${bucket}.jsonl"`);
    expect(answer.text.trimEnd().split('\n')).toHaveLength(snapshot?.metadata[`${bucket}_count`] ?? -1);
    expect(answer.text.trimEnd()).toBe((await readFile(toSamplePath(`orders.${file}.jsonl`), 'utf8')).trimEnd());
    expect(await studio.findRows(UNKNOWN_ID, bucket)).toBeNull();
  });
});
