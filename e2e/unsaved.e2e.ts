// What was not saved yet or was about to be lost: texts in open editors, results of calls, panes that leave.
import { expect, signIn, test } from './fixtures.ts';
import { choose, reload, say, toPane } from './steps.ts';

test('texts in open editors are there again after a reload and in their session, and take no focus', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const pane = toPane(page, 1);
  await say(page, 'One');
  const edit = pane.getByRole('group', { name: 'Edit message' });
  const insert = pane.getByRole('group', { name: 'New message' });
  await pane.getByRole('button', { name: 'Edit message' }).click();
  await expect(edit.getByRole('textbox')).toBeFocused();
  await edit.getByRole('textbox').fill('One, in other words');
  await choose(pane.getByRole('button', { name: 'More for this answer' }), 'Insert below');
  await expect(insert.getByRole('textbox')).toBeFocused();
  await insert.getByRole('combobox', { name: 'From' }).selectOption('tool');
  await insert.getByRole('textbox', { name: 'Result' }).fill('half a result');
  await insert.getByRole('textbox', { name: 'Tool' }).fill('get_order');
  await reload(page);
  await expect(edit.getByRole('textbox')).toHaveValue('One, in other words');
  await expect(insert.getByRole('textbox', { name: 'Result' })).toHaveValue('half a result');
  await expect(insert.getByRole('textbox', { name: 'Tool' })).toHaveValue('get_order');
  await expect(pane.locator(':focus')).toHaveCount(0);

  await page.getByRole('button', { name: /^Sessions, open/ }).click();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await expect(pane.getByRole('article')).toHaveCount(0);
  await expect(edit).toBeHidden();
  await page.getByRole('button', { name: /^Sessions, open/ }).click();
  await page.getByRole('dialog', { name: 'Sessions' }).getByRole('button', { name: /^One/ }).click();
  await expect(edit.getByRole('textbox')).toHaveValue('One, in other words');

  await edit.getByRole('button', { name: 'Save', exact: true }).click();
  await insert.getByRole('button', { name: 'Cancel' }).click();
  await expect(pane.getByRole('button', { name: 'Edit answer' })).toBeFocused();
  await reload(page);
  await expect(pane.getByText('One, in other words')).toBeVisible();
  await expect(edit.or(insert)).toHaveCount(0);
  await test.step('an edit that is asked for beside a restored new message takes the focus', async () => {
    await choose(pane.getByRole('button', { name: 'More for this answer' }), 'Insert below');
    await insert.getByRole('textbox', { name: 'Text' }).fill('half a question');
    await reload(page);
    await expect(insert.getByRole('textbox', { name: 'Text' })).toHaveValue('half a question');
    await pane.getByRole('button', { name: 'Edit answer' }).click();
    await expect(pane.getByRole('group', { name: 'Edit message' }).getByRole('textbox')).toBeFocused();
  });
});

test('a session that can’t be shown does not keep the playground from working', async ({ page, gateway }) => {
  await signIn(page, gateway.studio);
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  await say(page, 'Can’t be shown');
  await page.addInitScript(() => {
    // Every time this message is drawn, the drawing fails.
    const texts = Object.getPrototypeOf('') as { split: (...rest: unknown[]) => string[] };
    const { split } = texts;
    texts.split = function splitOthers(this: unknown, ...rest: unknown[]) {
      if (rest[0] === '\n' && String(this) === 'Can’t be shown') throw new Error('This message breaks the page.');
      return split.apply(this, rest);
    };
  });
  await reload(page);
  const notice = page.getByRole('alert').filter({ hasText: 'The playground stopped working' });
  await expect(notice).toContainText('This message breaks the page.');
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Open a new session' }).click();
  await expect(notice).toBeHidden();
  await say(page, 'Goes on');
  await reload(page);
  await expect(toPane(page, 1).getByText('You wrote: Goes on')).toBeVisible();
  await page.getByRole('button', { name: /^Sessions, open/ }).click();
  await expect(
    page.getByRole('dialog', { name: 'Sessions' }).getByRole('button', { name: /^Can’t be shown/ }),
  ).toBeVisible();
});
