import { describe, expect, it } from 'vitest';
import { arrowFile } from './arrowFiles.fixture.ts';
import { ArrowProblem, openArrowLines } from './arrowLines.ts';

function read(file: Uint8Array, chunk = file.length): unknown[] {
  const arrow = openArrowLines();
  const memory = new Uint8Array(chunk);
  const rows: unknown[] = [];
  for (let at = 0; at < file.length; at += chunk) {
    const part = file.subarray(at, at + chunk);
    memory.set(part);
    for (const lines of arrow.push(memory.subarray(0, part.length)))
      rows.push(...lines.map((line) => JSON.parse(line) as unknown));
    memory.fill(0xff);
  }
  arrow.end();
  return rows;
}

function reasonOf(file: Uint8Array): string {
  try {
    return `read as ${read(file).length} rows`;
  } catch (error) {
    return error instanceof ArrowProblem ? error.message : `a defect: ${String(error)}`;
  }
}

const CALL = { id: 'call_1', type: 'function', function: { name: 'find', arguments: '{"q":"a"}' } };
const TOOL = {
  type: 'function',
  function: { name: 'find', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
};

it.each([1, 7, 4096])('rows that were saved to disk are read, however they are cut: %i bytes', (chunk) => {
  const [first, second] = read(arrowFile('saved'), chunk);
  expect(first).toEqual({
    messages: [
      { role: 'user', content: 'Grüße', tool_calls: null, tool_call_id: null },
      { role: 'assistant', content: null, tool_calls: [CALL], tool_call_id: null },
      { role: 'tool', content: '3', tool_calls: null, tool_call_id: 'call_1' },
      { role: 'assistant', content: 'Three.', tool_calls: null, tool_call_id: null },
    ],
    tools: [TOOL],
    score: 1.5,
  });
  expect(second).toMatchObject({ tools: [], score: null });
});

it('messages that are kept as JSON are read as such', () => {
  const rows = read(arrowFile('savedJson'));
  expect(rows[0]).toMatchObject({ messages: [{ role: 'user', content: 'Grüße' }, { tool_calls: [CALL] }, {}, {}] });
  expect(rows[2]).toMatchObject({
    messages: [{ content: [{ type: 'text', text: 'Hi' }] }, { tool_calls: [{ function: { arguments: { b: [1] } } }] }],
  });
});

it.each(['uncompressed', 'lz4', 'zstd'] as const)('columns of all types are read from a file that is %s', (name) => {
  expect(read(arrowFile(name), 100)).toEqual([
    {
      messages: [
        { role: 'user', content: 'Grüße' },
        { role: 'assistant', content: null },
      ],
      large: 'x',
      dict: 'a',
      n: 7,
      b: '(3 bytes)',
      t: '1970-01-01T00:00:00.000Z',
      l: [1, 2],
      v: 'short',
      m: { k: 1 },
      f: 1.5,
      o: true,
    },
    {
      messages: null,
      large: 'y',
      dict: 'b',
      n: '1152921504606846976',
      b: null,
      t: null,
      l: [],
      v: 'a long text that is no inline view',
      m: null,
      f: null,
      o: false,
    },
  ]);
});

it('a dictionary that is replaced holds for the rows behind it', () => {
  expect(read(arrowFile('replaced'))).toEqual(['a', 'a', 'b', 'b', 'c', 'c'].map((dict) => ({ dict })));
});

it('thousands of rows are read step by step', () => {
  const steps = [...openArrowLines().push(arrowFile('large'))].map(({ length }) => length);
  expect(steps).toEqual([1000, 1000, 500]);
  expect(read(arrowFile('large'), 1000)).toEqual(
    Array.from({ length: 2500 }, (_, at) => ({ text: `row ${at % 7} of many `.repeat(6) })),
  );
});

it('a table without rows has none', () => expect(read(arrowFile('empty'))).toEqual([]));

describe('what can not be read is said', () => {
  const MISSING = 'The end of the Arrow file is missing: it is cut, or was still being written. Copy it again.';

  it.each(['saved', 'lz4'] as const)('of a file that is cut anywhere: %s', (name) => {
    const file = arrowFile(name);
    const reasons = new Set(Array.from({ length: file.length - 4 }, (_, cut) => reasonOf(file.subarray(0, cut + 4))));
    expect([...reasons]).toEqual([MISSING]);
  });

  it('of a type that is not read', () => {
    expect(reasonOf(arrowFile('union'))).toBe('The column "u" of the Arrow file has a type that is not read.');
  });

  it.each(['saved', 'savedJson', 'uncompressed', 'lz4', 'replaced', 'union'] as const)(
    'of a file with any damaged byte, as a problem and soon: %s',
    (name) => {
      const file = arrowFile(name);
      for (let at = 4; at < file.length; at += 3)
        for (const byte of [0x7f, 0xff]) expect(reasonOf(file.with(at, byte))).not.toContain('a defect');
    },
    60_000,
  );

  it('of rows that begin beyond their column', () => {
    const file = arrowFile('replaced');
    const at = file.findIndex(
      (_, place) => new TextDecoder().decode(file.subarray(place, place + 8)) === 'a\0\0\0\0\0\0\0',
    );
    // The offsets of the text stand in the 8 bytes aligned before it.
    expect(reasonOf(file.with(at - 4, 9))).toMatch(/^The rows from 1 on can't be read.*values beyond its end/);
  });
});
