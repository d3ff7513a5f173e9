import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { anyCharacter } from '#core/contract/anyCharacter.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatasetNode, ProjectNode, SnapshotNode } from '#core/contract/tree.ts';
import { openTestService, PROJECT_ID, type TestService } from './testService.fixture.ts';
import { openTreeBodies } from './treeBody.ts';

const name = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('"children":[]', '","children":[]', '\\"children":[]', '世界 "'),
);
const snapshot = fc
  .record({ id: name, label: name, jobs: fc.array(name, { maxLength: 4 }) })
  .map(({ id, label, jobs }): SnapshotNode => ({
    id,
    type: 'snapshot',
    label,
    children: jobs.map((job) => ({
      id: job,
      type: 'finetuning-job',
      label: job,
      status: 'completed',
      children: [],
      metadata: { id: job, reasoning: true },
    })),
    metadata: { id, training_count: 1, validation_count: 1, created_at: '' },
  }));
const dataset = fc
  .record({ id: name, label: name, children: fc.array(snapshot, { maxLength: 4 }) })
  .map(({ id, label, children }): DatasetNode => ({
    id,
    type: 'dataset',
    label,
    status: 'completed',
    children,
    metadata: { id, datapoints_count: 1 },
  }));
const project = fc
  .record({ name, children: fc.array(dataset, { maxLength: 4 }) })
  .map(({ name: label, children }): ProjectNode => ({ id: PROJECT_ID, type: 'project', name: label, children }));

describe('the bytes of a tree', () => {
  it('are those of JSON.stringify, plain and compressed', async () => {
    const toBody = openTreeBodies();
    await fc.assert(
      fc.asyncProperty(project, async (tree) => {
        const text = JSON.stringify({ project: tree });
        const body = toBody(tree);
        expect(body.plain().toString()).toBe(Buffer.from(text).toString());
        expect(gunzipSync(await body.gzip()).toString()).toBe(Buffer.from(text).toString());
        expect(body.size).toBe(Buffer.byteLength(text));
      }),
      { numRuns: 60 },
    );
  });

  it('have a tag that is the same for equal trees only', () => {
    fc.assert(
      fc.property(project, project, (a, b) => {
        const tagOf = (tree: ProjectNode): string => openTreeBodies()(tree).etag;
        expect(tagOf(a)).toMatch(/^W\/"[\w-]{27}"$/);
        expect(tagOf(structuredClone(a))).toBe(tagOf(a));
        expect(tagOf(a) === tagOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it('are made once for all who ask', async () => {
    const toBody = openTreeBodies();
    const [tree] = fc.sample(project, 1);
    const body = toBody(tree!);
    expect(toBody(tree!)).toBe(body);
    expect(body.gzip()).toBe(body.gzip());
    expect(body.plain()).toBe(body.plain());
    await body.gzip();
  });
});

describe('a tree over HTTP', () => {
  const PATH = `/api/v1/public/projects/${PROJECT_ID}`;
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService();
    const children = Array.from({ length: 40 }, (_, index): DatasetNode => ({
      id: `d${index}`,
      type: 'dataset',
      label: `Dataset ${index}`,
      status: 'completed',
      children: [],
      metadata: { id: `d${index}`, datapoints_count: 1 },
    }));
    service.studio.project = { ...service.studio.project, children };
  });
  afterAll(() => service.close());

  it('is compressed for a reader who takes it', async () => {
    const plain = await service.askSigned(PATH);
    expect(plain.headers).toMatchObject({
      'content-type': 'application/json',
      vary: 'Accept-Encoding',
      'content-length': String(plain.body.length),
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.json()).toEqual({ project: service.studio.project });
    const packed = await service.askSigned(PATH, { headers: { 'Accept-Encoding': 'br, gzip' } });
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      etag: plain.headers['etag'],
      'content-length': String(packed.body.length),
    });
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    const refused = await service.askSigned(PATH, { headers: { 'Accept-Encoding': 'gzip;q=0' } });
    expect(refused.body.equals(plain.body)).toBe(true);
  });

  it('is a 304 while it has not changed, and HEAD has no body', async () => {
    const { headers } = await service.askSigned(PATH);
    const same = await service.askSigned(PATH, { headers: { 'If-None-Match': String(headers['etag']) } });
    expect([same.status, same.body.length, same.headers['etag']]).toEqual([304, 0, headers['etag']]);
    const head = await service.askSigned(PATH, { method: 'HEAD' });
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
      200,
      0,
      headers['content-length'],
    ]);
    service.studio.project = { ...service.studio.project, name: 'Other' };
    const changed = await service.askSigned(PATH, { headers: { 'If-None-Match': String(headers['etag']) } });
    expect([changed.status, changed.headers['content-security-policy']]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ]);
  });
});
