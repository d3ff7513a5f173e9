import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSame } from './expectSame.fixture.ts';
import { readProject } from './projectReader.ts';
import { ProjectTextReader } from './projectText.ts';

interface Result {
  readonly read?: unknown;
  readonly error?: string;
}

/** How many characters each piece has, over and over; pieces may be empty. */
type Cuts = readonly number[];

function toPieces(text: string, cuts: Cuts): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const length = Math.max(pieces.length % 50 === 0 ? 1 : 0, cuts[pieces.length % cuts.length] ?? 1);
    pieces.push(text.slice(from, from + length));
    from += length;
  }
  return pieces;
}

function readPieces(pieces: readonly string[], run: number): Result {
  try {
    const reader = new ProjectTextReader('secret', run);
    for (const piece of pieces) for (const pause of reader.push(piece)) void pause;
    return { read: reader.end() };
  } catch (error) {
    return { error: error instanceof Error ? error.name : String(error) };
  }
}

function readAtOnce(text: string): Result {
  try {
    return { read: readProject(JSON.parse(text)) };
  } catch (error) {
    return { error: error instanceof Error ? error.name : String(error) };
  }
}

function expectSameProject(text: string, cuts: Cuts = [7]): void {
  const expected = readAtOnce(text);
  for (const pieces of [[text], toPieces(text, cuts)]) {
    for (const run of [8, 40, 300, 100_000]) {
      expectSame(readPieces(pieces, run), expected);
    }
  }
}

const someCuts = fc.array(fc.oneof(fc.nat(12), fc.nat(200)), { minLength: 1, maxLength: 6 });

/** Texts that look like structure, so that a scan which misreads strings goes wrong. */
const texts = fc.oneof(
  fc.string(),
  fc.constantFrom('"', '\\', '\\"', '}],[{', '","children":[', 'children', 'project', 'secret', 'ä\u{1F600}\u0000'),
);

const { node } = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.record({ id: texts, label: texts }),
    fc.constantFrom<unknown[]>(null, 5, 'secret 0', 'text', [], {}),
    fc.record(
      {
        id: texts,
        children: fc.oneof(fc.array(tie('node'), { maxLength: 6 }), fc.constantFrom(null, {}, 'x')),
        metadata: fc.oneof(tie('node'), fc.record({ children: fc.array(tie('node'), { maxLength: 3 }) })),
      },
      { requiredKeys: ['id'] },
    ),
  ),
}));

describe('reading in steps', () => {
  it('gives what reading at once gives, wherever the text is cut', () => {
    fc.assert(
      fc.property(fc.array(node, { maxLength: 8 }), fc.boolean(), someCuts, (children, isSpaced, cuts) => {
        expectSameProject(
          JSON.stringify(
            { other: { project: { id: 'x', children } }, project: { id: 'p', children } },
            null,
            isSpaced ? 2 : undefined,
          ),
          cuts,
        );
      }),
      { numRuns: 200 },
    );
  });

  it('refuses what is not JSON, as reading at once does', () => {
    const good = JSON.stringify({
      project: {
        id: 'p',
        children: Array.from({ length: 12 }, (_, n) => ({ id: `n${n}`, children: [{ id: 'a' }, { id: 'b"' }] })),
      },
    });
    fc.assert(
      fc.property(
        fc.nat(good.length - 1),
        fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '\\', ',,', 'x', ' '.repeat(60)),
        someCuts,
        (at, put, cuts) => {
          expectSameProject(good.slice(0, at) + put + good.slice(at + 1), cuts);
        },
      ),
      { numRuns: 400 },
    );
    for (const text of [
      '',
      '"',
      '[',
      '}',
      '{"project"',
      '{"project":{"id":"p","children":[{"id":"a"}',
      `${good}}`,
      `${good}]`,
      `${good} {}`,
    ])
      expectSameProject(text);
  });

  it('takes names that come twice, and escaped ones, as JSON does', () => {
    expectSameProject('{"project":{"id":"p","children":[{"id":"a"},{"id":"b"}],"children":[{"id":"c"},{"id":"d"}]}}');
    expectSameProject(
      '{"project":{"id":"p","children":[{"id":"a"}]},"project":{"id":"q","childr\\u0065n":[{"id":"c"},{"id":"d"}]}}',
    );
    expectSameProject('{"project":{"id":"p","children":[{"id":"a","__proto__":{"id":"x","children":[{"id":"y"}]}}]}}');
  });

  it('says what is missing', () => {
    expectSameProject(JSON.stringify({ projects: [{ id: 'p', children: ['long enough to be cut'] }] }));
    expectSameProject(JSON.stringify([{ project: { id: 'p', children: [{ id: 'a' }, { id: 'b' }] } }]));
    expectSameProject(JSON.stringify({ project: { children: [{ id: 'a' }, { id: 'b' }] } }));
  });

  it('ends at the same depth', () => {
    let tree: unknown = { id: 'leaf', label: 'x'.repeat(50) };
    for (let level = 0; level < 60; level += 1) tree = { id: `n${level}`, children: [tree, { id: `m${level}` }] };
    expectSameProject(JSON.stringify({ project: tree }));
  });

  it('takes text that is cut at every place', () => {
    const text = JSON.stringify({
      project: {
        id: 'p',
        name: 'a"b\\',
        children: [{ id: 'a\\"', children: [{ id: 'ä\u{1F600}' }, { id: 'c' }] }, { id: 'd' }],
      },
    });
    const expected = readAtOnce(text);
    expect(expected.read).toBeDefined();
    for (let at = 0; at <= text.length; at += 1) {
      for (const run of [8, 300]) {
        expectSame(readPieces([text.slice(0, at), text.slice(at)], run), expected, () => `cut at ${at}`);
      }
    }
  });

  it('refuses white space where a node has to be', () => {
    for (const list of ['[          , {"id":"a"}]', '[{"id":"a"},          ]', '[{"id":"a"},          ,{"id":"b"}]'])
      expectSameProject(`{"project":{"id":"p","children":${list}}}`);
  });

  it('keeps little and pauses often, be the tree wide or deep', () => {
    const wide = JSON.stringify({
      project: { id: 'p', children: Array.from({ length: 20_000 }, (_, n) => ({ id: `n${n}` })) },
    });
    const jobs = Array.from({ length: 300 }, (_, job) => ({
      id: `j${job}`,
      children: Array.from({ length: 10 }, (_entry, n) => ({ id: `e${job} ${n}` })),
    }));
    const nested = JSON.stringify({
      project: { id: 'p', children: [{ id: 'd', children: [{ id: 's', children: jobs }] }] },
    });
    for (const text of [wide, nested]) {
      const reader = new ProjectTextReader('secret', 1_000);
      let pauses = 0;
      let mostKept = 0;
      for (const piece of toPieces(text, [300])) {
        for (const pause of reader.push(piece)) pauses += pause === undefined ? 1 : 0;
        mostKept = Math.max(mostKept, reader.length);
      }
      expect(mostKept).toBeLessThan(10_000);
      expect(pauses).toBeGreaterThan(text.length / 3_000);
      expect({ read: reader.end() }).toEqual(readAtOnce(text));
    }
    expect([...new ProjectTextReader('secret', 1_000).push(wide)].length).toBeGreaterThan(wide.length / 2_000);
  });

  it('looks at one long string in many pieces no more than a few times', () => {
    const text = JSON.stringify({ project: { id: 'p', name: 'x'.repeat(1_000_000), children: [] } });
    const reader = new ProjectTextReader('secret', 100);
    let looks = 0;
    for (const piece of toPieces(text, [50]))
      for (const pause of reader.push(piece)) looks += pause === undefined ? 1 : 0;
    expect(looks).toBeLessThan(60);
    expect({ read: reader.end() }).toEqual(readAtOnce(text));
  });
});
