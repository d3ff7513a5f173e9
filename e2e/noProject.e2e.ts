// A studio without a project: the playground works, and beside it stands what to do next.
import type { Page } from '@playwright/test';
import { expect, openGateway, test, watchPage } from './fixtures.ts';
import { REMOTE_IDS } from './remoteStudio.ts';
import { startStudio } from './startStudio.ts';
import { expectAccessible, say, toPane } from './steps.ts';

const toWorkspace = (page: Page) => page.getByRole('region', { name: 'Workspace', exact: true });

test('a remote studio that can’t list its projects takes an id or a link, and answers prompts meanwhile', async ({
  page,
}) => {
  const gateway = await openGateway({ hasLists: false });
  const { studio, remote } = gateway;
  const watch = watchPage(page, studio.origin);
  await page.goto(studio.link);
  const workspace = toWorkspace(page);
  await expect(workspace.getByText('This studio can’t list its projects.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Tree', exact: true })).toBeHidden();
  await expectAccessible(page);

  await toPane(page, 1).getByRole('combobox', { name: 'Model' }).fill('qwen3-0.6b');
  await page.keyboard.press('Enter');
  await say(page, 'Hello there');
  await expect(toPane(page, 1).getByRole('article').last()).not.toBeEmpty();
  expect(remote.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1);

  const field = workspace.getByRole('textbox', { name: 'Project id or link' });
  await field.fill('my project');
  await field.press('Enter');
  await expect(workspace.getByRole('alert')).toContainText('A project id is a UUID');
  await field.fill(`https://studio.example.com/projects/${REMOTE_IDS.project}/overview`);
  await workspace.getByRole('button', { name: 'Open project' }).click();
  await expect(page.getByRole('tree', { name: 'Project tree' })).toBeVisible();
  // What was said is still there.
  await expect(toPane(page, 1).getByText('Hello there').first()).toBeVisible();
  expect(watch.faults).toEqual([]);
  await gateway.close();
});

test('an empty local studio says how to fill it, and a narrow page too', async ({ page }) => {
  const studio = await startStudio({ args: ['--no-sample'] });
  const watch = watchPage(page, studio.origin);
  await page.goto(studio.link);
  const workspace = toWorkspace(page);
  await expect(workspace.getByRole('heading', { name: 'No projects yet' })).toBeVisible();
  for (const name of ['Get the sample project', 'Connect to a remote studio', 'Chat with a model of your own'])
    await expect(workspace.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 800, height: 700 });
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible();
  await page.getByRole('tab', { name: 'Playground' }).click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  expect(watch.faults).toEqual([]);
  await studio.stop();
});
