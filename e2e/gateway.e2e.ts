// The same dashboard on a remote studio: tolerant reading, hidden endpoints, an outage that ends by itself.
import type { Locator } from '@playwright/test';
import { expect, openHome, test } from './fixtures.ts';
import { openRemoteStudio } from './remoteStudio.ts';
import { startStudio } from './startStudio.ts';

test('shows the remote tree; the remote token and the studio cookie stay where they belong', async ({
  gatewayPage: page,
  gateway,
}) => {
  await openHome(page);
  await test.step('shows the remote tree, whatever its records leave out', async () => {
    await page.getByRole('button', { name: 'Expand all' }).click();
    const row = (name: RegExp): Locator => page.getByRole('treeitem', { name });
    // A status that no document names is shown as it is.
    await expect(row(/^Experiment 5\b.*paused-by-operator/)).toBeVisible();
    // Children left out, or null: a row without a chevron, with all that it does say.
    const importing = row(/^Escalations of enterprise customers.*running/);
    const unknownType = row(/^Nightly evaluation\b.*done/);
    for (const leaf of [importing, unknownType, row(/^Experiment 1\b.*done/)]) {
      await expect(leaf).toBeVisible();
      await expect(leaf).not.toHaveAttribute('aria-expanded');
    }
    // A type that no document names is shown as it is, too.
    await unknownType.click();
    const workspace = page.getByRole('region', { name: 'Workspace', exact: true });
    await expect(workspace.getByRole('heading', { name: 'Nightly evaluation', exact: true })).toBeVisible();
    // In its head; its fields load later and say it again.
    await expect(workspace.getByText('evaluation-suite', { exact: true }).first()).toBeVisible();
  });
  await test.step('the remote token and the studio cookie stay where they belong', async () => {
    for (const { headers } of gateway.remote.requests) {
      expect(headers['cookie']).toBeUndefined();
      expect(headers['authorization']).toBe('Bearer remote-secret');
    }
    const seen = await page.evaluate(() => document.documentElement.outerHTML + JSON.stringify({ ...localStorage }));
    expect(seen).not.toContain('remote-secret');
    expect(gateway.studio.output()).not.toContain('remote-secret');
  });
});

test('an outage is said with its reason, and ends by itself', async ({ page }) => {
  const remote = await openRemoteStudio({ token: 'remote-secret' });
  const studio = await startStudio({ args: ['--base-url', remote.url], env: { STUDIO_API_KEY: 'remote-secret' } });
  await page.goto(studio.link);
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  const { port } = new URL(remote.url);
  await remote.close();
  await expect(page.getByText(/offline|not reachable|unreachable|cannot be reached/i).first()).toBeVisible({
    timeout: 40_000,
  });
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  const back = await openRemoteStudio({ token: 'remote-secret', port: Number(port) });
  await expect(page.getByText(/^updated/).first()).toBeVisible({ timeout: 70_000 });
  await studio.stop();
  await back.close();
});
