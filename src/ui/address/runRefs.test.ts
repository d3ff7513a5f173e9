import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRunRef, toRunRef, type RunRef } from './runRefs.ts';

it.each<[string, RunRef | null]>([
  ['x:1-2', { kind: 'experiment', experiment_id: '1-2' }],
  ['r:s:m:qwen:lora', { kind: 'candidate', snapshot_id: 's', key: 'm:qwen:lora' }],
  ['', null],
  ['x:', null],
  ['x:a:b', null],
  ['r:', null],
  ['r:s', null],
  ['r:s:', null],
  ['r::k', null],
  ['y:1', null],
])('%j names %j', (text, ref) => expect(parseRunRef(text)).toEqual(ref));

it('reads what it writes', () => {
  const id = fc.string({ minLength: 1 }).filter((text) => !text.includes(':'));
  fc.assert(
    fc.property(id, fc.string({ minLength: 1 }), (snapshot_id, key) => {
      for (const ref of [
        { kind: 'candidate', snapshot_id, key },
        { kind: 'experiment', experiment_id: snapshot_id },
      ] as const) {
        expect(parseRunRef(toRunRef(ref))).toEqual(ref);
      }
    }),
  );
});
