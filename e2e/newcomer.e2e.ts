// The first minutes of a newcomer: open the printed link, see the tree, get a recommendation, try a tuned model.
import { go, readIds } from './comparePage.ts';
import { expect, goTo, openParameters, test, watchPage } from './fixtures.ts';
import { expectEnded, reload, say, toPane, openBesideBase } from './steps.ts';

// Everything moves here, as it does for most people.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('the printed link, the sample project, and a tuned model beside its base model', async ({ page, studio }) => {
  await openParameters(page);
  const watch = watchPage(page, studio.origin);
  await test.step('opens the printed link, and the token leaves the address', async () => {
    await page.goto(studio.link);
    await expect(page).toHaveTitle(/Model Studio/);
    await expect.poll(() => page.url()).not.toContain('token');
    const cookies = await page.context().cookies();
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(cookies[0]?.value).not.toContain(studio.token);
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(stored).not.toContain(studio.token);
  });
  await test.step('the sample project: its runs as they were trained, why one failed, and recommendations', async () => {
    await test.step('shows the sample project as it was really trained, and what its training loss is', async () => {
      await page.getByRole('button', { name: 'Expand all' }).click();
      const tree = page.getByRole('tree', { name: 'Project tree' });
      for (const name of ['Ticket triage', 'Order tools', 'Polite replies']) {
        await expect(tree.getByRole('treeitem', { name: new RegExp(name) })).toBeVisible();
      }
      await expect(
        tree
          .getByRole('treeitem')
          .filter({ hasText: 'done' })
          .filter({ hasText: /Experiment/ }),
      ).toHaveCount(6);
      await expect(tree.getByRole('treeitem').filter({ hasText: /Experiment 3.*failed/s })).toHaveCount(1);
      await expect(tree.getByText('2,200').first()).toBeVisible();
      await test.step('an experiment says what its training loss is, and shows no other number as such', async () => {
        await page
          .getByRole('treeitem', { name: /Experiment 1.*LoRA/ })
          .first()
          .click();
        const training = page.getByRole('region', { name: 'Training' });
        await expect(training.getByText(/^Training loss: mean of the last 20 steps/)).toBeVisible();
        const losses = training.getByRole('figure', { name: 'Training loss' });
        await expect(losses.getByRole('listitem')).toHaveText(/^Experiment 1 · LoRA$/);
      });
      await test.step('a failed experiment says why, with what it was asked and its losses', async () => {
        await page.getByRole('treeitem', { name: /Experiment 3.*failed/ }).click();
        const training = page.getByRole('region', { name: 'Training' });
        await expect(
          training
            .getByRole('paragraph')
            .filter({ hasText: /^Failed: \S.*Its learning rate 1 is \d+ times the highest that worked/ }),
        ).toBeVisible();
        await expect(training.getByText('Learning rate', { exact: true })).toBeVisible();
        const losses = training.getByRole('figure', { name: 'Training loss' });
        await expect(losses.getByRole('listitem')).toHaveText(/^Experiment 3 · full$/);
        await losses.getByRole('button', { name: 'Show the values of loss as a table' }).click();
        await expect(losses.getByRole('row', { name: /Experiment 3/ })).toContainText('42.5');
      });
      await test.step('a recommendation is computed when first asked for, and says of what it is', async () => {
        await page
          .getByRole('treeitem', { name: /Snapshot/ })
          .nth(1)
          .click();
        const region = page.getByRole('region', { name: 'Recommendations' });
        await expect(region.getByText('done', { exact: true }).first()).toBeVisible({ timeout: 15_000 });
        await expect(
          region
            .getByRole('rowheader', { name: /support-base/ })
            .or(region.getByRole('columnheader', { name: /support-base/ }))
            .first(),
        ).toBeVisible();
        await expect(region.getByText(/recommended/i).first()).toBeVisible();
        await region.getByRole('button', { name: 'more: the whole reason for support-base', exact: true }).click();
        await expect(region.getByText(/Tinker|OpenAI cookbook/).first()).toBeVisible();
        await test.step('what is recommended is said of the base model, and its reason belongs to both ways of training', async () => {
          await page
            .getByRole('treeitem', { name: /Snapshot/ })
            .first()
            .click();
          await page.getByRole('button', { name: /^Compare \d+ recommended settings/ }).click();
          const compare = page.getByRole('region', { name: 'Compare' });
          // Its curves come with the runs and push the table down, away from the pointer.
          await expect(compare.getByRole('figure', { name: 'Training losses of the compared runs' })).toBeVisible();
          // The baseline is a run; advice has its reason when it is pointed at.
          await compare.getByRole('columnheader', { name: /^support-base · full:/ }).hover();
          await expect(compare.getByText('Why support-base:', { exact: true })).toBeVisible();
          await expect(compare.getByText(/full · recommended base model/).first()).toBeVisible();
          await expect(compare.getByText(/LoRA · recommended base model/).first()).toBeVisible();
        });
      });
      await test.step('a dataset with one snapshot shows its recommendations and says whose they are', async () => {
        const [dataset] = await readIds(page, 'dataset');
        await go(page, `node=${dataset}&tab=recommendations`);
        const region = page.getByRole('region', { name: 'Recommendations' });
        await expect(region.getByText(/^For Ticket triage › .*, the only snapshot of Ticket triage\.$/)).toBeVisible();
        await expect(region.getByRole('rowheader', { name: /support-base/ }).first()).toBeVisible({ timeout: 15_000 });
      });
    });
  });
  await test.step('tries a tuned model beside its base model', async () => {
    await goTo(page, '?');
    await page.getByRole('button', { name: 'Expand all' }).click();
    await openBesideBase(page);
    const tuned = page.getByRole('region', { name: 'Pane 1' });
    const base = page.getByRole('region', { name: 'Pane 2' });
    await expect(tuned.getByRole('combobox', { name: 'Model' })).toHaveAttribute('title', /^ft-support-base-/);
    await expect(base.getByRole('combobox', { name: 'Model' })).toHaveValue('support-base');
    await page.getByRole('textbox', { name: 'System prompt' }).first().fill('Classify the ticket.');
    await page
      .getByRole('textbox', { name: 'Message' })
      .fill('I was charged twice for the Nimbus keyboard. Please act right now.');
    // A model that samples may write something else.
    await tuned.getByRole('spinbutton', { name: 'Temperature' }).fill('0');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(tuned.getByText(/"category":\s*"billing"/)).toBeVisible();
    for (const pane of [tuned, base]) await expectEnded(pane);
    await expect(page).toHaveURL(/models=ft-support-base-[0-9a-f]{8}(,|%2C)support-base/);
    await reload(page);
    await expect(tuned.getByText(/"category":\s*"billing"/)).toBeVisible();
  });
  expect(watch.faults).toEqual([]);
});

test('a model that is opened brings its own settings and none of the last one’s, and Back returns to that', async ({
  studioPage: page,
  studio,
}) => {
  await page.goto(`${studio.origin}/?models=triage-full`);
  const pane = toPane(page, 1);
  const prompt = page.getByRole('textbox', { name: 'System prompt' }).first();
  await expect(prompt).toHaveValue('Classify the ticket.');
  await expect(pane.getByRole('combobox', { name: 'Response format' })).toHaveValue('json_schema');
  const schemaLine = pane.getByText('Answers follow a JSON schema made from the rows of the model.');
  await expect(schemaLine).toBeVisible();
  await pane.getByRole('button', { name: 'Turn off the schema' }).press('Enter');
  await expect(schemaLine).toHaveCount(0);
  await expect(pane.getByRole('combobox', { name: 'Response format' })).toHaveValue('');
  await expect(pane).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(schemaLine).toBeVisible();
  await pane.getByRole('spinbutton', { name: 'Temperature' }).fill('0');
  for (const text of ['My card was billed twice.', 'The tracking number is not valid!']) await say(page, text);
  await expect(pane.getByText('sent alone')).toBeVisible();
  await expect(pane.getByText(/"category":\s*"shipping"/)).toBeVisible();

  await page.getByRole('button', { name: 'Expand all' }).click();
  await page
    .getByRole('treeitem', { name: /Experiment 1.*LoRA/ })
    .nth(1)
    .click();
  await page.getByRole('button', { name: 'Try in playground' }).first().click();
  await expect(prompt).toHaveValue('Use the order tools.');
  await expect(pane.getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('');
  await expect(pane.getByRole('combobox', { name: 'Response format' })).toHaveValue('');
  // A model that samples may write something else than a call.
  await pane.getByRole('spinbutton', { name: 'Temperature' }).fill('0');
  await pane.getByRole('button', { name: 'Please stop the order #401700.' }).click();
  await expect(pane.getByRole('button', { name: 'Edit tools: 4 tools' })).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expectEnded(pane);
  await expect(pane.getByRole('textbox', { name: 'Result of cancel_order' })).toBeVisible();
  await expect(
    pane.getByText('This model was trained to call tools, but not to continue after a result.'),
  ).toBeVisible();
  await page.goBack();
  await expect(prompt).toHaveValue('Classify the ticket.');
  await expect(pane.getByRole('article')).toHaveCount(2);
});
