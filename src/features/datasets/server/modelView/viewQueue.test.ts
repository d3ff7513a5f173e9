import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makePipe } from '#service/files/silent.fixture.ts';
import { openViewQueue } from './viewQueue.ts';

const SAMPLE = new URL('../../../projects/server/sample/support-base.Q8_0.gguf', import.meta.url).pathname;
const ROW = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] });

// Windows has no such pipes.
it.skipIf(process.platform === 'win32')(
  'a file that hangs when it is opened keeps the orders behind it waiting no longer than it may',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'views-'));
    // Whoever opens a pipe waits for somebody to write into it.
    makePipe(join(folder, 'x.gguf'));
    const queue = openViewQueue({ longestMs: 5_000 });
    onTestFinished(async () => {
      await queue.close();
      rmSync(folder, { recursive: true });
    });
    const hung = queue.ask('view', { path: join(folder, 'x.gguf'), version: '1' }, ROW, null);
    const next = queue.ask('view', { path: SAMPLE, version: '1' }, ROW, null);
    await expect(hung).rejects.toThrow('its disk or network mount does not answer');
    await expect(next).resolves.toBeDefined();
  },
  60_000,
);
