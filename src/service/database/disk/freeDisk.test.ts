import { expect, it } from 'vitest';
import { checkFreeDisk, DiskFull, isDiskFull, MIB, toFullDisk } from './freeDisk.ts';

it('says how much is free, and what is missing', () => {
  expect(() => checkFreeDisk('/data', 0, 64 * MIB)).not.toThrow();
  expect(() => checkFreeDisk('/data', 0, 63.9 * MIB)).toThrow(
    'Only 63 MiB are free on the disk of /data, and 64 MiB are kept free for the database.',
  );
  expect(() => checkFreeDisk('/data', 2000 * MIB, 2000 * MIB)).toThrow(
    'Only 2,000 MiB are free on the disk of /data, and this needs 2,000 MiB beside the 64 MiB that are kept free for the database.',
  );
});

it.each([
  ['of the embedded database', { errno: 51 }, true],
  ['of PostgreSQL', new Error('could not extend file "base/5/1": No space left on device'), true],
  ['beneath another', new Error('Failed query', { cause: new Error('Disk quota exceeded') }), true],
  ['of Node', Object.assign(new Error('write'), { code: 'EIO', cause: new Error('ENOSPC: no space left') }), true],
  ['of ours', new DiskFull('/data', 0, 0), true],
  ['of something else', new Error('PGlite failed to initialize properly'), false],
])('knows a full disk from an error %s', (_whose, error, isFull) => expect(isDiskFull(error)).toBe(isFull));

it('takes a database that ended on a full disk for whole, by what is free or by what was said', () => {
  const unknown = new Error('PGlite failed to initialize properly');
  expect(toFullDisk('/data', unknown, "can't be opened", 1000 * MIB)).toBeNull();
  for (const [error, free] of [
    [unknown, 3 * MIB],
    ['PANIC: could not write to file "pg_wal/xlogtemp.42": No space left on device', 1000 * MIB],
  ] as const) {
    const { message } = toFullDisk('/data', error, "can't be opened", free) ?? new Error('none');
    expect(message).toMatch(/^The disk of \/data is full \([\d,]+ MiB are free\), so the database can't be opened\. /);
    expect(message).toMatch(/Free at least 96 MiB there and start again/);
    expect(message).not.toMatch(/backup|move it away/);
  }
});
