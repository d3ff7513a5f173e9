import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import {
  isArchived,
  isStarred,
  isUnrecorded,
  nodeLabel,
  nodeTags,
  ownLabel,
  readProject,
  readProjectList,
  type TreeNode,
} from './projectReader.ts';

function read(project: unknown): TreeNode {
  const result = readProject({ project });
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

describe('what services leave out or add', () => {
  it('reads a node with an id and nothing else', () => {
    expect(read({ id: 'p' })).toMatchObject({ id: 'p', type: 'unknown', children: [], metadata: {} });
  });

  it('fills in missing and null children and metadata, at every level', () => {
    const tree = read({
      id: 'p',
      children: [
        { id: 'd', children: null, metadata: null },
        { id: 'e', children: 'x', metadata: [] },
      ],
    });
    expect(tree.children.map(({ children, metadata }) => ({ children, metadata }))).toEqual([
      { children: [], metadata: {} },
      { children: [], metadata: {} },
    ]);
  });

  it('keeps an unknown type, status and field as they are', () => {
    const odd = {
      id: 'p',
      type: 'folder',
      status: 'archived',
      label: 'L',
      colour: 'red',
      metadata: { note: { a: [1] } },
    };
    expect(read(odd)).toMatchObject(odd);
  });

  it('leaves out what has no id, and keeps its siblings', () => {
    const tree = read({ id: 'p', children: [null, 5, 'x', [], {}, { id: '' }, { id: 7 }, { id: 'd' }] });
    expect(tree.children.map((child) => child.id)).toEqual(['d']);
  });

  it('does not take a wrong type for a text', () => {
    const node = read({ id: 'p', type: 5, name: {}, label: [], status: true });
    expect([node.type, node.name, node.label, node.status]).toEqual(['unknown', undefined, undefined, undefined]);
  });

  it('ends at a depth that no real tree has', () => {
    let node: unknown = { id: 'leaf' };
    for (let level = 0; level < 5000; level += 1) node = { id: `n${level}`, children: [node] };
    let depth = 0;
    for (let at: TreeNode | undefined = read(node); at; at = at.children[0]) depth += 1;
    expect(depth).toBe(33);
  });

  it.each<[unknown, string]>([
    [null, 'the answer has no "project" object'],
    [[], 'the answer has no "project" object'],
    ['text', 'the answer has no "project" object'],
    [{}, 'the answer has no "project" object'],
    [{ project: null }, 'the answer has no "project" object'],
    [{ project: [] }, 'the answer has no "project" object'],
    [{ project: {} }, 'the project has no id'],
    [{ project: { id: 5 } }, 'the project has no id'],
  ])('says of %j: %s', (body, reason) => expect(readProject(body)).toEqual({ ok: false, reason }));

  it('takes no inherited field for data, and leaves Object.prototype as it is', () => {
    const evil: unknown = JSON.parse(
      '{"project":{"__proto__":{"id":"evil"},"id":"p","metadata":{"__proto__":{"polluted":1}},"children":[{"__proto__":{"id":"evil"}}]}}',
    );
    const result = readProject(evil);
    expect(result.ok && [result.value.id, result.value.children]).toEqual(['p', []]);
    expect('polluted' in {}).toBe(false);
    expect(readProject(JSON.parse('{"__proto__":{"project":{"id":"evil"}}}')).ok).toBe(false);
  });

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(typeof readProject(value).ok).toBe('boolean');
        expect(read({ id: 'p', children: value }).id).toBe('p');
      }),
    );
  });
});

describe('nodeLabel', () => {
  it('is the label, else the name, else the id', () => {
    expect(nodeLabel(read({ id: 'i', name: 'N', label: 'L' }))).toBe('L');
    expect(nodeLabel(read({ id: 'i', name: 'N' }))).toBe('N');
    expect(nodeLabel(read({ id: 'i' }))).toBe('i');
    expect(nodeLabel(read({ id: 'i', name: 'N', label: ' ' }))).toBe('N');
    expect(nodeLabel(read({ id: 'i', name: '', label: '' }))).toBe('i');
  });
});

describe('readProjectList', () => {
  it('reads the list, filling in names and leaving out what has no id', () => {
    const list = readProjectList({
      projects: [{ id: 'a', name: 'A', created_at: 'today' }, { id: 'b' }, { name: 'C' }, null, { id: 5 }],
    });
    expect(list).toEqual({
      ok: true,
      value: [
        { id: 'a', name: 'A', created_at: 'today' },
        { id: 'b', name: 'b', created_at: '' },
      ],
    });
  });

  it.each<unknown>([null, [], {}, { projects: null }, { projects: {} }])('refuses %j', (body) => {
    expect(readProjectList(body)).toEqual({ ok: false, reason: 'the answer has no "projects" list' });
  });
});

describe('what people noted of a node', () => {
  const toNode = (metadata: object) => ({
    id: 'n',
    type: 'dataset',
    label: 'Given',
    children: [],
    metadata: { ...metadata },
  });
  it('is read from its metadata', () => {
    const node = toNode({ own_label: 'Own', tags: ['a', 7, 'b'], is_starred: true, is_archived: true });
    expect([ownLabel(node), nodeTags(node), isStarred(node), isArchived(node)]).toEqual([
      'Own',
      ['a', 'b'],
      true,
      true,
    ]);
  });

  it('is nothing where the service sends something else', () => {
    const node = toNode({ own_label: '', tags: 'a', is_starred: 'yes' });
    expect([ownLabel(node), nodeTags(node), isStarred(node), isArchived(node)]).toEqual(['Given', [], false, false]);
  });
});

it.each([
  [{ is_recorded: false }, true],
  [{ is_recorded: true }, false],
  [{ is_recorded: 'no' }, false],
  [{}, false],
])('data of %j is not recorded: %s', (metadata, expected) => {
  expect(isUnrecorded(read({ id: 'd', type: 'dataset', metadata }))).toBe(expected);
});
