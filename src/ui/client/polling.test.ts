import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { readJob, type ReadJob } from '#core/contract/jobReader.ts';
import { readProject, type TreeNode } from '#core/contract/projectReader.ts';
import { KNOWN_STATUSES } from '#core/contract/statuses.ts';
import { toAborted, toHttpFailure, toNetworkFailure, toShapeFailure, type ApiFailure } from './failure.ts';
import {
  idleInterval,
  isRetryable,
  isTreeActive,
  jobInterval,
  recommendationInterval,
  retryDelay,
  treeInterval,
} from './polling.ts';

function treeOf(...statuses: readonly (string | undefined)[]): TreeNode {
  const read = readProject({
    project: { id: 'p', children: statuses.map((status, place) => ({ id: `d${place}`, status })) },
  });
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

const http = (status: number, headers: Record<string, string> = {}): ApiFailure =>
  toHttpFailure(status, new Headers(headers), '', 0);
const fine = { error: null, failures: 0 };

describe('the tree', () => {
  it.each(KNOWN_STATUSES)('with a node that is %s', (status) => {
    const isActive = ['pending', 'queued', 'running', 'deploying', 'processing'].includes(status);
    expect(isTreeActive(treeOf('completed', status))).toBe(isActive);
    expect(treeInterval({ ...fine, data: treeOf('completed', status) })).toBe(isActive ? 2000 : 15_000);
  });

  it('is settled when it is empty or says things nobody knows', () => {
    expect(treeInterval({ ...fine, data: treeOf() })).toBe(15_000);
    expect(treeInterval({ ...fine, data: treeOf('archived', undefined) })).toBe(15_000);
  });

  it('is asked whether it answers, also while no project is open', () => {
    expect(idleInterval({ ...fine, data: [] })).toBe(15_000);
    expect(idleInterval({ data: [], error: toNetworkFailure('gone'), failures: 3 })).toBe(2000);
    expect(idleInterval({ data: [], error: http(401), failures: 1 })).toBe(false);
    expect(idleInterval({ data: [], error: http(503), failures: 9 })).toBe(60_000);
  });

  it('is asked for at once again while there is none', () => {
    expect(treeInterval({ ...fine, data: undefined })).toBe(2000);
  });

  it('is asked for more and more slowly while asking fails', () => {
    const at = (failures: number, data = treeOf('running')) => treeInterval({ data, error: http(500), failures });
    expect([1, 2, 3, 4, 5, 6, 1000].map((failures) => at(failures))).toEqual([
      4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000,
    ]);
    expect(at(1, treeOf('completed'))).toBe(30_000);
    expect(at(2, treeOf('completed'))).toBe(60_000);
  });

  it('is asked for every 2 s while nobody answers at all, however long', () => {
    for (const failures of [1, 2, 1000]) {
      for (const status of ['running', 'completed'])
        expect(treeInterval({ data: treeOf(status), error: toNetworkFailure('gone'), failures })).toBe(2000);
    }
  });

  it(
    'is asked for ever more slowly while its answer is cut off or too late, and the first time as soon as after a ' +
      'restart',
    () => {
      const at = (failures: number, status = 'running') =>
        treeInterval({ data: treeOf(status), error: toNetworkFailure('cut', true), failures });
      expect([1, 2, 3, 4, 5, 6, 1000].map((failures) => at(failures))).toEqual([
        2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000,
      ]);
      expect([at(1, 'completed'), at(2, 'completed')]).toEqual([2000, 4000]);
    },
  );

  it('is asked for when the service says, as one does that is starting', () => {
    const at = (seconds: string) =>
      treeInterval({ data: treeOf('completed'), error: http(503, { 'retry-after': seconds }), failures: 5 });
    expect([at('1'), at('7'), at('3600')]).toEqual([2000, 7000, 60_000]);
  });

  it('is left alone when signed out, and rarely asked for when asking again can hardly help', () => {
    expect(treeInterval({ data: undefined, error: http(401), failures: 1 })).toBe(false);
    expect(treeInterval({ data: undefined, error: http(404), failures: 1 })).toBe(60_000);
    expect(treeInterval({ data: undefined, error: toShapeFailure(200, new Headers(), 'x'), failures: 1 })).toBe(60_000);
  });

  it('is walked once, however often it is asked about', () => {
    let walks = 0;
    const tree: TreeNode = {
      ...treeOf('completed'),
      get children() {
        walks += 1;
        return [];
      },
    };
    for (let poll = 0; poll < 5; poll += 1) treeInterval({ ...fine, data: tree });
    expect(walks).toBe(1);
  });

  it('may be very wide and very deep', () => {
    const node = (status: string | undefined, children: readonly TreeNode[]): TreeNode => ({
      id: 'n',
      type: 'dataset',
      status,
      children,
      metadata: {},
    });
    let deep = node('running', []);
    for (let level = 0; level < 100_000; level += 1) deep = node(undefined, [deep]);
    expect(isTreeActive(deep)).toBe(true);
    expect(isTreeActive(treeOf(...Array.from({ length: 100_000 }, () => 'completed')))).toBe(false);
  });
});

describe('a recommendation', () => {
  const at = (status: string, ageMs: number) => recommendationInterval({ ...fine, data: { status } }, ageMs);

  it('is asked for quickly at first, then more slowly', () => {
    expect([0, 9999, 10_000, 119_999, 120_000, 1e9].map((age) => at('processing', age))).toEqual([
      1000, 1000, 2500, 2500, 5000, 5000,
    ]);
    expect(recommendationInterval({ ...fine, data: undefined }, 0)).toBe(1000);
    expect(at('queued', 0)).toBe(1000);
  });

  it('is not asked for again once it is settled, also after an error', () => {
    for (const status of ['completed', 'failed']) {
      expect(at(status, 0)).toBe(false);
      expect(recommendationInterval({ data: { status }, error: toNetworkFailure('gone'), failures: 3 }, 0)).toBe(false);
    }
  });

  it('is asked for more slowly while asking fails', () => {
    const failing = (failures: number, error: ApiFailure = http(500)) =>
      recommendationInterval({ data: { status: 'processing' }, error, failures }, 0);
    expect([1, 2, 3, 10].map((failures) => failing(failures))).toEqual([2000, 4000, 8000, 60_000]);
    expect(failing(1, http(401))).toBe(false);
    expect(failing(1, http(404))).toBe(60_000);
  });
});

describe('trying again', () => {
  it.each([
    [http(408), true],
    [http(409), true],
    [http(429), true],
    [http(500), true],
    [http(503), true],
    [http(400), false],
    [http(401), false],
    [http(404), false],
    [http(422), false],
    [http(400, { 'x-should-retry': 'true' }), true],
    [http(500, { 'x-should-retry': 'false' }), false],
    [toNetworkFailure('gone'), true],
    [toAborted(), false],
    [toShapeFailure(500, new Headers(), 'x'), false],
  ])('%#: can help: %s', (failure, expected) => expect(isRetryable(failure)).toBe(expected));

  it('waits half a second, doubled each time, up to 8 s', () => {
    expect([0, 1, 2, 3, 4, 5, 5000].map((attempt) => retryDelay(attempt, http(500), 0))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000, 8000,
    ]);
  });

  it('waits as long as the service asks for', () => {
    expect(retryDelay(0, http(429, { 'retry-after': '7' }), 0)).toBe(7000);
    expect(retryDelay(3, http(429, { 'retry-after-ms': '300' }), 0)).toBe(300);
    expect(retryDelay(1, http(429, { 'retry-after': '3600' }), 0)).toBe(1000);
  });

  it('spreads clients out by a quarter, and never asks earlier than it was told to', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const full = retryDelay(attempt, http(500), 0);
        const wait = retryDelay(attempt, http(500), random);
        expect(wait).toBeGreaterThanOrEqual(full * 0.75);
        expect(wait).toBeLessThanOrEqual(full);
        const told = retryDelay(attempt, http(429, { 'retry-after': '2' }), random);
        expect(told).toBeGreaterThanOrEqual(2000);
        expect(told).toBeLessThanOrEqual(2500);
      }),
    );
  });
});

describe('a job', () => {
  function jobOf(status: string, ...experiments: readonly string[]): ReadJob {
    const read = readJob({
      id: 'j',
      status,
      experiments: experiments.map((each, place) => ({ id: `e${place}`, status: each })),
    });
    if (!read.ok) throw new Error(read.reason);
    return read.value;
  }

  it.each(KNOWN_STATUSES)('with an experiment that is %s', (status) => {
    const isActive = ['pending', 'queued', 'running', 'deploying', 'processing'].includes(status);
    expect(jobInterval({ ...fine, data: jobOf('completed', 'failed', status) })).toBe(isActive ? 5000 : false);
    expect(jobInterval({ ...fine, data: jobOf(status) })).toBe(isActive ? 5000 : false);
  });

  it('is left alone when the service does not tell, or says things nobody knows', () => {
    expect(jobInterval({ ...fine, data: null })).toBe(false);
    expect(jobInterval({ ...fine, data: jobOf('archived', 'unknown') })).toBe(false);
  });

  it('is asked for more slowly while asking fails, until it is known that nothing goes on', () => {
    const error = http(503);
    expect(jobInterval({ data: jobOf('processing'), error, failures: 2 })).toBe(20_000);
    expect(jobInterval({ data: undefined, error, failures: 20 })).toBe(60_000);
    expect(jobInterval({ data: jobOf('completed'), error, failures: 1 })).toBe(false);
    expect(jobInterval({ data: undefined, error: http(401), failures: 1 })).toBe(false);
  });
});
