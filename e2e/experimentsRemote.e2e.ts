// The experiments table of other services: with 2,000 experiments and 200 of them compared, and of one that tells nothing of its jobs.
import { go, grid, readIds } from './comparePage.ts';
import { head, names, region, table } from './experimentsPage.ts';
import { expect, goTo, openGateway, originOf, signIn, test, watchPage } from './fixtures.ts';
import { REMOTE_IDS } from './remoteStudio.ts';
import { fineTunedModel, remoteId } from './remoteTree.ts';

test('what the tree leaves out of an experiment comes from its job, with the fields that only this service has', async ({
  page,
}) => {
  const gateway = await openGateway({ namesModels: false });
  const { studio } = gateway;
  const watch = watchPage(page, studio.origin);
  await signIn(page, studio);
  const { project, succeeded } = REMOTE_IDS;
  const model = fineTunedModel(succeeded);
  await page.goto(
    `${studio.origin}/?project=${project}&node=${project}&tab=experiments&plot=none&columns=label,base_model_id,model_id,refinetune_from_experiment_id,figures.f7`,
  );
  const row = (name: string) => table(page).getByRole('row', { name: new RegExp(`^.*${name}\\b`) });
  await expect(row('Experiment 1')).toContainText(model);
  await expect(row('Experiment 1')).toContainText('qwen3-0.6b');
  await expect(row('Experiment 4')).toContainText(succeeded);
  await expect(head(page, 'figures.f7')).toBeVisible();
  // From the tree's menu, and from the experiment itself.
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page.getByRole('treeitem', { name: /^Experiment 1\b/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open in playground' }).click();
  await expect(page).toHaveURL(new RegExp(`models=${model}`));
  await goTo(page, `?project=${project}&node=${succeeded}&tab=detail`);
  await page.getByRole('button', { name: 'Compare with base model' }).click();
  await expect(page).toHaveURL(/models=[^&]*qwen3-0\.6b/);
  await page.keyboard.press('Alt+Shift+Digit1');
  await goTo(page, `?project=${project}&node=${remoteId(43)}&tab=detail`);
  await expect(page.getByRole('region', { name: 'Training' }).getByText('refinetune_from_experiment_id')).toBeVisible();
  expect(watch.faults).toEqual([]);
  await gateway.close();
});

test('2,000 experiments: read when asked to, sorted, scrolled, printed in part', async ({ page }) => {
  const gateway = await openGateway({ nodes: 2_223 });
  const { studio, remote } = gateway;
  const watch = watchPage(page, studio.origin);
  await signIn(page, studio);
  const project = REMOTE_IDS.largeProject;
  // What nobody has read yet is not called the same for all.
  await page.goto(`${studio.origin}/?project=${project}&node=${project}&tab=experiments`);
  await expect(region(page).getByText('Losses are not loaded yet.')).toBeVisible();
  await goTo(page, `?project=${project}&node=${project}&tab=experiments&plot=parallel`);
  await expect(region(page).getByText('Hyperparameters are not loaded yet.')).toBeVisible();
  await expect(region(page).getByText(/Batch not given/)).toHaveCount(0);
  // A lone axis has no lines: nothing is drawn before there are two.
  await expect(region(page).getByRole('figure')).toHaveCount(0);
  await goTo(page, `?project=${project}&node=${project}&tab=experiments&plot=none&columns=label,job,dataset,last_loss`);
  await expect(table(page)).toHaveAttribute('aria-rowcount', '2001');
  expect(await table(page).getByRole('row').count()).toBeLessThan(80);
  const paths = (): readonly string[] =>
    remote.requests.map(({ path }) => path).filter((path) => path.includes('/finetuning/'));
  const asked = (): number => new Set(paths()).size;
  /** Jobs that still run are polled, a bounded number of them; all others are asked once. */
  const askedAgain = (): number => new Set(paths().filter((path, place, all) => all.indexOf(path) !== place)).size;
  await expect(page.getByRole('button', { name: /^Load them from/ })).toBeVisible();
  expect(asked()).toBe(0);
  await page.getByRole('button', { name: 'Load them from 200 jobs' }).click();
  await expect(page.getByRole('progressbar', { name: 'Jobs loaded' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Jobs loaded' })).toHaveCount(0, { timeout: 60_000 });
  expect(asked()).toBe(200);
  expect(askedAgain()).toBeLessThanOrEqual(40);
  await head(page, 'Training loss')
    .getByRole('button', { name: /^Training loss/ })
    .click();
  await table(page).locator('[data-place="0"]').focus();
  await page.keyboard.press('End');
  await expect(table(page).locator('[data-place="1999"]')).toBeFocused();
  await expect(table(page).locator('[data-place="1999"]')).toContainText('—');
  // Another tab and back: the same place, and nothing asked again.
  await page.getByRole('tab', { name: 'Detail' }).click();
  await page.getByRole('tab', { name: /^Runs/ }).click();
  await expect(table(page).locator('[data-place="1999"]')).toBeInViewport();
  expect(asked()).toBe(200);
  expect(askedAgain()).toBeLessThanOrEqual(40);
  await page.getByRole('searchbox', { name: 'Filter runs' }).fill('dataset 2 snapshot 9');
  // All of dataset 2 with a 9 among the numbers of snapshot, job and experiment: 10^3 - 9^3. Of dataset 1 those with a
  // 2 too: 10^3 - 2 * 9^3 + 8^3. Ids hold both nearly always.
  await expect(region(page).getByRole('heading', { name: '325 of 2,000 runs', exact: true })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter runs' }).fill('');
  await expect(table(page)).toHaveAttribute('aria-rowcount', '2001');
  await table(page).getByRole('checkbox', { name: 'Compare all 2,000 shown runs', exact: true }).click();
  await expect(page.getByText(/1,000 more were not selected/)).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(table(page).locator('[data-place]')).toHaveCount(500);
  await expect(region(page).getByText('The first 500 of 2,000 rows.')).toBeAttached();
  await page.emulateMedia({ media: 'screen' });
  await test.step('200 candidates: few are drawn, the last one is a scroll away', async () => {
    const experiments = (await readIds(page, 'experiment', project)).slice(0, 200);
    expect(experiments).toHaveLength(200);
    await go(
      page,
      `project=${project}&tab=compare&compare=${experiments.map((id) => `x:${id}`).join(',')}&plot=none&diff=0`,
    );
    await expect(grid(page)).toHaveAttribute('aria-colcount', '201');
    await expect(
      grid(page)
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: /Base model/ }) })
        .getByRole('gridcell')
        .first(),
    ).toContainText('qwen3-0.6b');
    expect(await grid(page).getByRole('columnheader').count()).toBeLessThan(30);
    await grid(page).getByRole('gridcell').first().click();
    for (const [key, cell] of [
      ['End', '0:199'],
      ['Home', '0:0'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page.locator(`[data-cell="${cell}"]`)).toBeFocused();
      await expect(page.locator('td:focus')).toBeInViewport();
      expect(await grid(page).getByRole('columnheader').count()).toBeLessThan(30);
    }
  });
  expect(watch.faults).toEqual([]);
  await gateway.close();
});

test('a service that tells nothing of its jobs is asked a few times, and says so once', async ({ page }) => {
  const gateway = await openGateway({ nodes: 800, hasJobs: false });
  const { studio, remote } = gateway;
  await signIn(page, studio);
  const project = REMOTE_IDS.largeProject;
  await page.goto(`${studio.origin}/?project=${project}&node=${project}&tab=experiments`);
  await expect(region(page).getByText('None of the first 6 jobs sends hyperparameters.')).toBeVisible();
  await expect(head(page, 'Batch')).toHaveCount(0);
  const asked = (): number => remote.requests.filter(({ path }) => path.includes('/finetuning/')).length;
  expect(asked()).toBe(6);
  await page.getByRole('button', { name: /^Load all \d+ jobs$/ }).click();
  await expect(region(page).getByText('This service doesn’t send the hyperparameters of runs.')).toBeVisible();
  expect(asked()).toBeGreaterThan(60);
  await gateway.close();
});

test('rows stay where they are while jobs are read and rows are ticked', async ({
  gatewayPage: page,
  gateway: { remote },
}) => {
  const place = async (): Promise<number> => (await names(page).first().boundingBox())?.y ?? Number.NaN;
  for (const plot of ['none', 'parallel', 'loss']) {
    const releaseJobs = remote.holdJobs();
    await page.goto(
      `${originOf(page)}/?project=${REMOTE_IDS.project}&node=${REMOTE_IDS.project}&tab=experiments&plot=${plot}`,
    );
    const reading = page.getByRole('progressbar', { name: 'Jobs loaded' });
    await expect(reading).toBeVisible();
    const before = await place();
    releaseJobs();
    await expect(reading).toHaveCount(0);
    if (plot !== 'none') await expect(region(page).getByRole('figure')).toBeVisible();
    const read = await place();
    // A plot's own words may take a line more than the room that is kept for it.
    expect(Math.abs(read - before)).toBeLessThanOrEqual(plot === 'none' ? 0 : 24);
    await table(page)
      .getByRole('checkbox', { name: /^Compare (?!all)/ })
      .first()
      .click();
    await expect(region(page).getByText('1 selected', { exact: true })).toBeVisible();
    expect(await place()).toBe(read);
  }
});
