import { describe, expect, it } from 'vitest';
import type { ModelFile } from './engine.ts';
import { findByName, IMPORTED, toNames, toOneList } from './modelNames.ts';

const file = (id: string, aliases: readonly string[] = [], owned_by = 'local', path = `/${owned_by}/${id}.gguf`) =>
  ({ id, aliases, path, adapter: null, created: 0, owned_by }) satisfies ModelFile;
const NONE: ReadonlySet<string> = new Set();

describe('a model is found by its name', () => {
  it('by its id before any alias, whichever stands first', () => {
    const models = [file('a', ['b']), file('b')];
    expect(findByName(models, 'b')).toBe(models[1]);
    expect(findByName(models, 'a')).toBe(models[0]);
    expect(findByName([file('a', ['x']), file('b', ['x'])], 'x')?.id).toBe('a');
    expect(findByName(models, 'c')).toBeNull();
  });
});

describe('one list of all models', () => {
  it('keeps the first of several with the same id, and an imported one only if no other has it', () => {
    const files = [
      file('ft-a', [], IMPORTED),
      file('ft-a', [], 'studio'),
      file('ft-a', [], 'runs'),
      file('ft-b', [], IMPORTED),
    ];
    expect(toOneList(files, NONE).map(({ path }) => path)).toEqual(['/studio/ft-a.gguf', '/imported/ft-b.gguf']);
  });

  it('leaves out an imported model whose id another engine has, and no other', () => {
    const files = [file('ft-a', [], IMPORTED), file('ft-b', [], 'studio')];
    expect(toOneList(files, new Set(['ft-a', 'ft-b'])).map(({ id }) => id)).toEqual(['ft-b']);
  });

  it('leaves out an imported model that has the alias of another as its id', () => {
    const files = [file('ft-a', [], IMPORTED), file('a', ['ft-a'])];
    expect(toOneList(files, NONE).map(toNames)).toEqual([['a', 'ft-a']]);
  });

  it('has no alias that is the id of a model, here or in another engine, or an alias twice', () => {
    const files = [file('a', ['b', 'remote', 'x']), file('b', ['x', 'y']), file('ft-c', ['Qwen/Qwen3-8B'], IMPORTED)];
    const listed = toOneList(files, new Set(['remote', 'Qwen/Qwen3-8B']));
    expect(listed.map(toNames)).toEqual([['a', 'x'], ['b', 'y'], ['ft-c']]);
    expect(toOneList([file('a', ['n'])], NONE)).toEqual([file('a', ['n'])]);
  });
});
