import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCheckpoint, replaceFile, writeCheckpoint } from './checkpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'nano-checkpoint-'));
const path = join(folder, 'checkpoint.bin');
afterAll(() => rmSync(folder, { recursive: true }));

const STATE = { fingerprint: 'abc', step: 2, losses: [1.1, 0.3333333333333333], best: { step: 1, loss: 0.7 } };
const RUNS = [Float32Array.of(1, 2, 3), Float32Array.of(Math.fround(0.1), -0)];
const toEmpty = (): Float32Array[] => RUNS.map(({ length }) => new Float32Array(length));

describe('a checkpoint', () => {
  it('comes back with the same bits', () => {
    writeCheckpoint(path, STATE, RUNS);
    const runs = toEmpty();
    expect(readCheckpoint(path, 'abc', runs)).toEqual(STATE);
    expect(runs).toEqual(RUNS);
    expect(readdirSync(folder)).toEqual(['checkpoint.bin']);
  });

  it('is not there: null', () => {
    expect(readCheckpoint(join(folder, 'none'), 'abc', toEmpty())).toBeNull();
  });

  it('of another run, cut off or damaged is not used, and changes nothing', () => {
    writeCheckpoint(path, STATE, RUNS);
    const whole = readFileSync(path);
    const runs = toEmpty();
    expect(readCheckpoint(path, 'other', runs)).toBeNull();
    expect(readCheckpoint(path, 'abc', [...runs, new Float32Array(1)])).toBeNull();
    for (const bytes of [whole.subarray(0, -1), whole.subarray(0, 10), Buffer.alloc(0), Buffer.from('x'.repeat(200))]) {
      writeFileSync(path, bytes);
      expect(readCheckpoint(path, 'abc', runs)).toBeNull();
    }
    expect(runs).toEqual(toEmpty());
  });

  it('keeps the last one while a new one is written', () => {
    writeCheckpoint(path, STATE, RUNS);
    writeFileSync(`${path}.part`, 'half');
    expect(readCheckpoint(path, 'abc', toEmpty())).toEqual(STATE);
    replaceFile(path, [Buffer.from('new')]);
    expect(readFileSync(path, 'utf8')).toBe('new');
  });
});
