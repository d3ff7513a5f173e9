import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openEndedSessions } from './endedSessions.ts';
import { keepFolder } from '#service/files/keep.fixture.ts';

const KEEP_MS = 30 * 24 * 3_600_000;
const NOW = 1_790_000_000_000;
let folder = '';
beforeEach(() => {
  folder = keepFolder();
});

const open = () => openEndedSessions(folder, KEEP_MS, () => NOW);

describe('sessions that were signed out', () => {
  it('are known to every process that shares the folder, at once and after a restart', () => {
    const [here, there] = [open(), open()];
    here.add('one');
    expect([here.has('one'), there.has('one'), open().has('one')]).toEqual([true, true, true]);
    expect(there.has('two')).toBe(false);
  });

  it('make no folder before there is one', () => {
    expect(open().has('one')).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are forgotten when they would have run out by themselves', () => {
    const first = open();
    first.add('old');
    first.add('young');
    const at = (ms: number): Date => new Date(NOW - ms);
    utimesSync(join(folder, 'signed-out', 'old'), at(KEEP_MS + 1000), at(KEEP_MS + 1000));
    utimesSync(join(folder, 'signed-out', 'young'), at(KEEP_MS - 1000), at(KEEP_MS - 1000));
    open();
    expect(readdirSync(join(folder, 'signed-out'))).toEqual(['young']);
  });

  it('that can not be stored are said, and ended in this process', () => {
    writeFileSync(join(folder, 'signed-out'), 'a file in the way');
    const ended = open();
    expect(() => ended.add('one')).toThrow();
    expect(ended.has('one')).toBe(true);
  });
});
