// What leaves the experiments table, and the compare, as a file: which rows, which columns, and that the two can be
// joined.
import { copied, readIds } from './comparePage.ts';
import { head, names, openTable, region, table } from './experimentsPage.ts';
import { expect, test } from './fixtures.ts';
import { downloadedBy } from './steps.ts';

type Line = Readonly<Record<string, unknown>>;

const toFields = (csv: string): string[][] =>
  csv
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));

test('files of the table and of the compare: rows and columns as they stand, and they join', async ({
  studioPage: page,
}) => {
  await test.step('the selected rows leave by themselves, in the table’s order, with the columns as they stand on the screen', async () => {
    await openTable(page, '&plot=none&columns=label,training_type,status,seconds&pins=label,seconds&sort=-seconds');
    await expect(names(page)).toHaveCount(7);
    // While jobs are read the order changes under the pointer.
    await expect(table(page).locator('[data-place="0"] td').nth(1)).not.toHaveText('—');
    await expect(page.getByRole('progressbar', { name: 'Jobs loaded' })).toHaveCount(0);
    await expect(table(page).getByRole('columnheader')).toHaveText([
      'Compare all 7 shown runs',
      'Run',
      'Time',
      'Status',
      'Training',
    ]);
    const tick = (place: number) => table(page).locator(`[data-place="${place}"]`).getByRole('checkbox').check();
    await tick(3);
    await tick(1);
    await expect(region(page).getByText('2 selected', { exact: true })).toBeVisible();

    const save = async (button: string): Promise<string[][]> => {
      await region(page).getByRole('button', { name: button }).click();
      return toFields(
        await downloadedBy(page, () => page.getByRole('menuitem', { name: 'CSV, chosen columns and id' }).click()),
      );
    };
    const all = await save('Download all as');
    const selected = await save('Download the 2 selected as');
    expect(all).toHaveLength(8);
    expect(all[0]).toEqual(['label', 'seconds', 'status', 'training_type', 'id']);
    expect(selected).toEqual([all[0], all[2], all[4]]);

    // A filter hides one of them; it is selected as before.
    await page.getByRole('searchbox', { name: 'Filter runs' }).fill(String(all[2]?.at(-1)));
    await expect(names(page)).toHaveCount(1);
    await expect(page.getByText(/^Downloaded runs\.csv\./).first()).toBeVisible();
    expect(await save('Download the 2 selected as')).toEqual(selected);
  });
  await test.step('files of the table and of the compare join on the experiment’s id, and agree', async () => {
    const ids = await readIds(page, 'experiment');
    const refs = ids.map((id) => `x:${id}`).join(',');
    await openTable(page, `&plot=none&compare=${refs}`);
    await expect(head(page, 'Training loss')).toBeVisible();
    await expect(page.getByRole('progressbar', { name: 'Jobs loaded' })).toHaveCount(0);
    await region(page)
      .getByRole('button', { name: `Copy the ${ids.length} selected as` })
      .click();
    const rows = JSON.parse(
      await copied(page, () => page.getByRole('menuitem', { name: 'JSON, all columns' }).click()),
    ) as Line[];

    await page.getByRole('tab', { name: /^Compare/ }).click();
    const panel = page.getByRole('region', { name: 'Compare' });
    await panel.getByRole('button', { name: 'Copy all as' }).click();
    const text = await copied(page, () => page.getByRole('menuitem', { name: 'JSON', exact: true }).click());
    const { candidates } = JSON.parse(text) as { candidates: Line[] };
    const SHARED = [
      'label',
      'dataset',
      'status',
      'training_type',
      'n_epochs',
      'batch_size',
      'learning_rate_multiplier',
      'base_model_id',
      'model_id',
      'failure',
    ];
    const pick = (line: Line, id: string) => [line[id], ...SHARED.map((name) => line[name])];
    const byId = (lines: readonly unknown[][]) => lines.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])));
    expect(byId(candidates.map((line) => pick(line, 'experiment_id')))).toEqual(
      byId(rows.map((line) => pick(line, 'id'))),
    );
    expect(new Set(rows.map((line) => line['training_type']))).toEqual(new Set(['full', 'lora']));

    // One of the seven failed: it is not started again without a word.
    await panel.getByRole('button', { name: 'Copy all as' }).click();
    await copied(page, () => page.getByRole('menuitem', { name: /^Fine-tuning create payload/ }).click());
    await expect(
      page.getByText(/^Copied as Fine-tuning create payload \(JSON\)\. 6 of 7 were already run, 1 did not finish\./),
    ).toBeVisible();
  });
});
