import { describe, expect, it } from 'vitest';
import { FAMILIES, findFamily, toArchitecture } from './families.ts';
import { REFERENCE } from './families.fixture.ts';
import { readGgufHeader, type GgufHeader } from './ggufHeader.ts';
import { toGgufAdapter } from './peftAdapter.ts';
import { readValues, writeSafetensors } from './sampleAdapter.fixture.ts';

const [ROWS, COLUMNS, HEADS] = [64, 8, 4] as const;

/** A base with one matrix. */
const toBase = (architecture: string, name: string): GgufHeader =>
  ({
    values: new Map<string, unknown>([
      ['general.architecture', architecture],
      [`${architecture}.attention.head_count`, HEADS],
      [`${architecture}.attention.head_count_kv`, HEADS],
    ]),
    rawValues: new Map(),
    tensors: new Map([[name, { name, shape: [COLUMNS, ROWS], type: 0, offset: 0 }]]),
    dataStart: 0,
  }) as GgufHeader;

/** The first rows of a module's B in the converted adapter. */
function convert(architecture: string, module: string, target: string): readonly number[] {
  const weights = writeSafetensors([
    { name: `${module}.lora_A.weight`, shape: [1, COLUMNS], values: new Float32Array(COLUMNS) },
    { name: `${module}.lora_B.weight`, shape: [ROWS, 1], values: Float32Array.from({ length: ROWS }, (_, row) => row) },
  ]);
  const bytes = toGgufAdapter(
    { config: { peft_type: 'LORA', r: 1, lora_alpha: 1 }, weights },
    toBase(architecture, target),
  );
  const header = readGgufHeader(bytes);
  const tensor = header.tensors.get(`${target}.lora_b`);
  if (!tensor) throw new Error(`There is no ${target}.`);
  return [...readValues({ bytes, header }, tensor)];
}

describe.each(Object.entries(REFERENCE))('adapters of the family %s', (type, { architecture, modules }) => {
  it('belong to the family that llama.cpp’s converter names', () => expect(toArchitecture(type)).toBe(architecture));

  const known = findFamily(architecture)?.modules ?? {};
  it.each(Object.entries(modules).filter(([module]) => Object.hasOwn(known, module)))(
    'have %s where that converter puts it, row by row',
    (module, [name, rows]) => {
      const found = convert(architecture, `base_model.model.model.layers.0.${module}`, `blk.0.${name}.weight`);
      expect(found.slice(0, rows.length)).toEqual(rows);
    },
  );
});

it('every family that is converted is held to the converter’s numbers, with every one of its modules', () => {
  const held = new Map<string, Set<string>>();
  for (const { architecture, modules } of Object.values(REFERENCE))
    held.set(architecture, new Set([...(held.get(architecture) ?? []), ...Object.keys(modules)]));
  for (const [architecture, { modules }] of Object.entries(FAMILIES))
    expect([architecture, [...(held.get(architecture) ?? [])]]).toEqual([
      architecture,
      expect.arrayContaining(Object.keys(modules)),
    ]);
});

it('no type of transformers belongs to two families', () => {
  const types = Object.values(FAMILIES).flatMap((family) => family.types);
  expect(new Set(types).size).toBe(types.length);
  expect(toArchitecture('mamba')).toBeNull();
});
