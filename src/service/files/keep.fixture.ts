// For tests: what is open for all tests of a file, and ends after them. What was opened last ends first.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export async function keep<T extends { close(): unknown }>(opening: T | Promise<T>): Promise<T> {
  const opened = await opening;
  afterAll(async () => {
    await opened.close();
  });
  return opened;
}

/** A new folder. */
export function keepFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'model-studio-test-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
