import { describe, expect, it } from 'vitest';
import { EngineError, type Engine } from './engine.ts';
import { openRegistry } from './registry.ts';
import { IDLE } from './sampleModel.fixture.ts';

function engineOf(owner: string, ids: readonly string[], failure: Error | null = null): Engine & { closed: number } {
  const guard = (): void => {
    if (failure) throw failure;
  };
  return {
    closed: 0,
    async listModels() {
      guard();
      return ids.map((id) => ({ id, created: 0, object: 'model' as const, owned_by: owner }));
    },
    async findModel(id) {
      guard();
      return ids.includes(id) ? { id, created: 0, object: 'model', owned_by: owner } : null;
    },
    async check() {
      guard();
    },
    async load(model) {
      guard();
      return ids.includes(model) ? { id: model, fingerprint: owner, generate: () => (async function* () {})() } : null;
    },
    async close() {
      this.closed += 1;
      guard();
    },
  };
}

const down = new EngineError('The engine is down.', 503, 'engine_unreachable');

describe('openRegistry', () => {
  it('joins lists; the first engine that has an id answers', async () => {
    const registry = openRegistry([engineOf('local', ['a', 'b']), engineOf('remote', ['b', 'c'])]);
    expect((await registry.listModels()).map(({ id, owned_by }) => `${owned_by}:${id}`)).toEqual([
      'local:a',
      'local:b',
      'remote:c',
    ]);
    expect((await registry.load('b', IDLE))?.fingerprint).toBe('local');
    expect((await registry.load('c', IDLE))?.fingerprint).toBe('remote');
    expect(await registry.load('d', IDLE)).toBeNull();
    expect((await registry.findModel('b'))?.owned_by).toBe('local');
    expect((await registry.findModel('c'))?.owned_by).toBe('remote');
    expect(await registry.findModel('d')).toBeNull();
  });

  it('serves what it can when one engine is down, and says so for what it can not', async () => {
    const registry = openRegistry([engineOf('remote', ['x'], down), engineOf('local', ['a'])]);
    expect((await registry.listModels()).map(({ id }) => id)).toEqual(['a']);
    expect((await registry.load('a', IDLE))?.fingerprint).toBe('local');
    await expect(registry.load('x', IDLE)).rejects.toBe(down);
    await expect(openRegistry([engineOf('remote', [], down)]).listModels()).rejects.toBe(down);
    expect(await openRegistry([]).listModels()).toEqual([]);
  });

  it('is well when all engines are', async () => {
    await openRegistry([engineOf('local', ['a']), engineOf('remote', [])]).check();
    await expect(openRegistry([engineOf('local', ['a']), engineOf('remote', ['x'], down)]).check()).rejects.toBe(down);
  });

  it('does not go on after an abort', async () => {
    await expect(openRegistry([engineOf('local', ['a'])]).load('a', AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('closes all engines, also when one fails', async () => {
    const engines = [engineOf('one', [], down), engineOf('two', [])];
    await openRegistry(engines).close();
    expect(engines.map(({ closed }) => closed)).toEqual([1, 1]);
  });
});
