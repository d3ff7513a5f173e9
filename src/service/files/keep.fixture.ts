// For tests: what a test, or the top of a file for all of its tests, opens and nobody has to close.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Done after the test that runs, at the top of a file after all of its tests. What was asked for last is done first. */
export function atEnd(act: () => unknown): void {
  const end = async (): Promise<void> => {
    await act();
  };
  if (TestRunner.getCurrentTest() === undefined) afterAll(end);
  else onTestFinished(end);
}

export async function keep<T extends { close(): unknown }>(opening: T | Promise<T>): Promise<T> {
  const opened = await opening;
  atEnd(() => opened.close());
  return opened;
}

/** A new folder. */
export function keepFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'model-studio-test-')));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The origin of a server on a free port. */
export async function listen(server: Server & { closeAllConnections?: () => void }): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
