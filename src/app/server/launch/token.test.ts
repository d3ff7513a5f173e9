import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '#service/database/startError.ts';
import { readToken } from './token.ts';
import { keepFolder } from '#service/files/keep.fixture.ts';

let folder = '';
beforeEach(() => {
  folder = keepFolder();
});
const random = (bytes: number): string => randomBytes(bytes).toString('base64url');

describe('readToken', () => {
  it('makes 32 random bytes once and keeps them', () => {
    const token = readToken(folder, random);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(readToken(folder, random)).toBe(token);
    expect(readFileSync(join(folder, 'token'), 'utf8')).toBe(`${token}\n`);
  });

  it('for the owner only, also when the file was more open', () => {
    readToken(folder, random);
    const file = join(folder, 'token');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    readToken(folder, random);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('makes the folder, for the owner only', () => {
    const deeper = join(folder, 'a', 'b');
    readToken(deeper, random);
    expect(statSync(deeper).mode & 0o777).toBe(0o700);
  });

  it('another process that was quicker wins', () => {
    const token = readToken(folder, (bytes) => {
      writeFileSync(join(folder, 'token'), 'token-of-the-other-process');
      return random(bytes);
    });
    expect(token).toBe('token-of-the-other-process');
  });

  it.each(['', '\n', 'short', 'two words that are long enough', 'zeile\nzwei-lange-genug-0123', '\u0000'.repeat(40)])(
    'a damaged file (%j) is said, not replaced',
    (content) => {
      const file = join(folder, 'token');
      writeFileSync(file, content);
      expect(() => readToken(folder, random)).toThrow(StartError);
      expect(() => readToken(folder, random)).toThrow(new RegExp(`${file} is damaged`));
      expect(readFileSync(file, 'utf8')).toBe(content);
    },
  );

  it('a folder that is a file is said with its path', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => readToken(file, random)).toThrow(StartError);
    expect(() => readToken(file, random)).toThrow(new RegExp(file));
    expect(existsSync(join(folder, 'token'))).toBe(false);
  });
});
