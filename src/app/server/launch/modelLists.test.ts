import { describe, expect, it } from 'vitest';
import type { ModelFile } from '#engine/engine.ts';
import { IMPORTED, toNames } from '#engine/modelNames.ts';
import { openModelLists, type ModelSources } from './modelLists.ts';

const file = (id: string, owned_by: string, aliases: readonly string[] = []): ModelFile => ({
  id,
  aliases,
  path: `/${owned_by}/${id}.gguf`,
  adapter: null,
  created: 0,
  owned_by,
});
const entries = (...ids: readonly string[]) =>
  ids.map((id) => ({ id, created: 0, object: 'model' as const, owned_by: 'server' }));
const upstreamOf = (listed: readonly string[] | null, isUp = true) => ({
  lastModels: () => listed && entries(...listed),
  listModels: async () => {
    if (listed === null) throw new Error('down');
    return entries(...listed);
  },
  check: async () => {
    if (!isUp) throw new Error('down');
  },
});

const openLists = (more: Partial<ModelSources> = {}) =>
  openModelLists({
    own: [file('mine', 'local', ['short'])],
    listTrained: async () => [file('ft-a', IMPORTED), file('support-base', 'model-studio', ['far'])],
    listRuns: async () => [file('run-1', 'runs')],
    listServed: async () => [file('run-2', 'runs')],
    upstream: null,
    listOtherNames: async () => [],
    ...more,
  });
const idsOf = async (list: () => Promise<readonly ModelFile[]>) =>
  (await list()).map((each) => toNames(each).join(' '));

it('lists the models of all sources, imported ones last', async () => {
  const { listBases, listFiles } = openLists();
  expect(await idsOf(listFiles)).toEqual(['mine short', 'support-base far', 'run-1', 'run-2', 'ft-a']);
  expect(await idsOf(listBases)).toEqual(['mine short', 'support-base far', 'run-1', 'ft-a']);
});

describe('with a server of --engine', () => {
  it('has no imported model nor alias that has the name of one of its models', async () => {
    const { listBases, listFiles } = openLists({ upstream: upstreamOf(['ft-a', 'far', 'mine']) });
    expect(await idsOf(listFiles)).toEqual(['mine short', 'support-base', 'run-1', 'run-2']);
    expect(await idsOf(listBases)).toEqual(['mine short', 'support-base', 'run-1']);
  });

  it('goes by its last list while it is away, and without one lists what is here', async () => {
    expect(await idsOf(openLists({ upstream: upstreamOf(['ft-a'], false) }).listFiles)).not.toContain('ft-a');
    expect(await idsOf(openLists({ upstream: upstreamOf(null, false) }).listFiles)).toContain('ft-a');
  });
});

describe('the names of all models', () => {
  it('are ids and aliases here, in the server of --engine and in other services', async () => {
    const lists = openLists({ upstream: upstreamOf(['x/y']), listOtherNames: async () => ['other'] });
    const { names, isComplete } = await lists.readNames();
    expect([...names].toSorted()).toEqual(
      ['mine', 'short', 'support-base', 'far', 'run-1', 'run-2', 'ft-a', 'x/y', 'other'].toSorted(),
    );
    expect(isComplete).toBe(true);
  });

  it('may be more than those that are known while the server does not answer', async () => {
    for (const listed of [null, ['x/y']]) {
      const { names, isComplete } = await openLists({ upstream: upstreamOf(listed, false) }).readNames();
      expect([names.has('x/y'), isComplete]).toEqual([listed !== null, false]);
    }
  });
});
