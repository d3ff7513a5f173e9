// The compare view with fifty figures, on the screen and on paper.
import type { Locator } from '@playwright/test';
import { go, grid } from './comparePage.ts';
import { expect, test } from './fixtures.ts';
import { REMOTE_IDS } from './remoteStudio.ts';
import { remoteId } from './remoteTree.ts';
import { expectAccessible } from './steps.ts';

test('fifty figures of the service’s own are folded away, but not on paper', async ({ gatewayPage: page, gateway }) => {
  await test.step('fifty figures of the service’s own are folded away until they are asked for', async () => {
    await page.goto(
      `${gateway.studio.origin}/?project=${REMOTE_IDS.project}&tab=compare&compare=x:${REMOTE_IDS.succeeded},x:${remoteId(44)}&plot=none&diff=0`,
    );
    await expect(grid(page).getByRole('rowheader', { name: /figures\.f6/ })).toBeVisible();
    await expect(grid(page).getByRole('rowheader', { name: /figures\.f9/ })).toHaveCount(0);
    const more = grid(page).getByRole('button', { name: /^More figures, \d+$/ });
    await expect(more).toHaveAttribute('aria-expanded', 'false');
    await more.press('Enter');
    await expect(grid(page).getByRole('rowheader', { name: /figures\.f49/ })).toBeAttached();
    await expect(more).toBeFocused();
    // The compare as a whole is looked at in `accessibility`; rows that open are all of one kind.
    const rowOf = (part: Locator): Locator => grid(page).getByRole('row').filter({ has: part });
    await expectAccessible(rowOf(page.getByRole('button', { name: /^More figures, \d+$/ })));
    await expectAccessible(rowOf(page.getByRole('rowheader', { name: /figures\.f49/ })));

    // A row that orders the columns stays under the keys, while it is unfolded and when it is folded again.
    const late = grid(page).getByRole('rowheader', { name: /figures\.f49/ });
    for (const order of ['ascending', 'descending', 'none', 'ascending']) {
      await late.getByRole('button').press('Enter');
      await expect(late).toHaveAttribute('aria-sort', order);
      await expect(late.getByRole('button')).toBeFocused();
    }
    await more.press('Enter');
    await expect(grid(page).getByRole('rowheader', { name: /figures\.f48/ })).toHaveCount(0);
    for (const order of ['descending', 'none']) {
      await late.getByRole('button').press('Enter');
      await expect(late).toHaveAttribute('aria-sort', order);
      await expect(late.getByRole('button')).toBeFocused();
    }
    await more.press('Enter');
    await more.press('Enter');
    await expect(late).toHaveCount(0);
  });
  await test.step('on paper: all axes of a plot, also those that are folded away on the screen', async () => {
    await go(
      page,
      `project=${REMOTE_IDS.project}&tab=compare&compare=x:${REMOTE_IDS.succeeded},x:${remoteId(44)}&plot=parallel&diff=0`,
    );
    const figure = page.getByRole('figure', { name: 'Compared candidates' });
    const last = figure.getByTitle('figures.f49', { exact: true });
    await expect(figure.getByRole('button', { name: /^Show \d+ more axes$/ })).toBeVisible();
    await expect(last).toHaveCount(0);
    await page.emulateMedia({ media: 'print' });
    await expect(last).not.toHaveCount(0);
    await page.emulateMedia({ media: 'screen' });
    await expect(last).toHaveCount(0);
  });
});
