// A service that restarts: the page that is looked at is live again soon after, by itself.
import { rmSync } from 'node:fs';
import { fillWithDatabase } from '#service/database/folders.fixture.ts';
import { expect, test } from './fixtures.ts';
import { makeFolder, startStudio } from './startStudio.ts';

test('the header is live again within seconds, however long the service was away', async ({ page }) => {
  const dataDir = makeFolder('restart');
  await fillWithDatabase(dataDir);
  const first = await startStudio({ dataDir });
  await page.goto(first.link);
  const live = page.getByText(/^updated /);
  await expect(live).toBeVisible();
  await first.stop();
  await expect(page.getByText(/^offline since/)).toBeVisible({ timeout: 30_000 });
  const countTries = () =>
    page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/projects/')).length,
    );
  // Long enough for several tries in vain: were each wait twice the last, the next one would outlast what follows.
  const before = await countTries();
  await expect.poll(countTries, { timeout: 60_000 }).toBeGreaterThan(before + 3);
  const second = await startStudio({ args: ['--port', new URL(first.origin).port], dataDir });
  // How soon is proved with a made clock, in wakeUp.test.ts: a loaded machine is slow itself.
  await expect(live).toBeVisible({ timeout: 15_000 });
  await second.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
