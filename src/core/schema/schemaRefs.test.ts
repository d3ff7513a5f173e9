import { describe, expect, it } from 'vitest';
import { findSchemaTarget } from './schemaRefs.ts';

const ROOT = {
  $defs: {
    'a/b': { type: 'string' },
    'c~d': true,
    'é x': false,
    list: { anyOf: [{ type: 'null' }, { type: 'number' }] },
  },
  properties: { me: {} },
};

const reasonOf = (pointer: string, root: unknown = ROOT): string | null => {
  const found = findSchemaTarget(root, pointer);
  return found.ok ? null : found.reason;
};

describe('a reference', () => {
  it.each<[string, unknown, readonly (string | number)[]]>([
    ['#', ROOT, []],
    ['#/properties/me', {}, ['properties', 'me']],
    ['#/$defs/a~1b', { type: 'string' }, ['$defs', 'a/b']],
    ['#/$defs/c~0d', true, ['$defs', 'c~d']],
    ['#/$defs/%C3%A9%20x', false, ['$defs', 'é x']],
    ['#/$defs/list/anyOf/1', { type: 'number' }, ['$defs', 'list', 'anyOf', 1]],
  ])('%s is followed', (pointer, schema, path) =>
    expect(findSchemaTarget(ROOT, pointer)).toEqual({ ok: true, value: { schema, path } }),
  );

  it.each([
    '#/$defs/none',
    '#/$defs/list/anyOf/2',
    '#/$defs/list/anyOf/x',
    '#/$defs/c~0d/type',
    '#/',
    '#/toString',
    '#/__proto__',
    '#/$defs/constructor',
  ])('%s leads to nothing', (pointer) =>
    expect(reasonOf(pointer)).toBe(`The reference "${pointer}" leads to nothing. Define it under $defs.`),
  );

  it.each(['https://example.com/schema.json', 'other.json#/a', '#anchor', '', '/$defs/list'])(
    '%j leads out',
    (pointer) => expect(reasonOf(pointer)).toMatch(/^The reference ".*" leads out of the schema\. Only /),
  );

  it('with a part that is no text is told apart', () =>
    expect(reasonOf('#/$defs/%E0%A4')).toBe(`The reference has a part that can't be decoded: "%E0%A4".`));

  it('into what is no schema at all leads to nothing', () => expect(reasonOf('#/a', 5)).toContain('leads to nothing'));
});
