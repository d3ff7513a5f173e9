// What is not saved yet: new messages and edits in their editors, panes that leave.
import { onTestFinished, test, vi } from 'vitest';
import { expect } from './expect.ts';
import { keepPart } from './openPart.ts';
import { choose, say, toPane } from './steps.ts';

const open = keepPart();

test('an edit of an answer waits while that answer is asked for anew', async () => {
  const page = await open(`/?models=stream:5:0`);
  const pane = toPane(page, 1);
  await say(page, 'One');
  await pane.getByRole('button', { name: 'Edit answer' }).click();
  const answer = pane.getByRole('group', { name: 'Edit message' }).last();
  await answer.getByRole('textbox').fill('In my own words');
  await pane.getByRole('combobox', { name: 'Model' }).fill('stream:2000:100');
  await page.keyboard.press('Enter');
  await pane.getByRole('button', { name: 'Edit message' }).click();
  await pane.getByRole('button', { name: 'Save and run' }).first().click();
  const save = answer.getByRole('button', { name: 'Save', exact: true });
  await expect(save).toHaveAccessibleDescription('An answer is being generated. Wait for it or stop it.');
  (await save.one()).click();
  await answer.getByRole('textbox').press('Control+Enter');
  await expect(answer.getByRole('textbox')).toHaveValue('In my own words');
  await pane.getByRole('button', { name: 'Stop', exact: true }).click();
  await save.click();
  await expect(pane.getByText('In my own words')).toBeVisible();
  await expect(answer).toBeHidden();
});

test('a new message that is begun keeps its text when it is asked for again, above or below', async () => {
  const page = await open(`/?models=echo`);
  const pane = toPane(page, 1);
  await say(page, 'One');
  const insert = pane.getByRole('group', { name: 'New message' });
  const menu = pane.getByRole('button', { name: 'More for this message' });
  const text = insert.getByRole('textbox', { name: 'Text' });
  await choose(menu, 'Insert below');
  await text.fill('half a question');
  await insert.getByRole('combobox', { name: 'From' }).selectOption('user');
  for (const item of ['Insert above', 'Insert above', 'Insert below']) {
    await choose(menu, item);
    await expect(text).toHaveValue('half a question');
    await expect(text).toBeFocused();
    await expect(insert.getByRole('combobox', { name: 'From' })).toHaveValue('user');
  }
});

test('a conversation that was cleared comes back after its pane was closed, where it is said to be', async () => {
  const page = await open(`/?models=echo,stream:5:0`);
  await say(page, 'Mine', [toPane(page, 1), toPane(page, 2)]);
  await choose(toPane(page, 1).getByRole('button', { name: 'Pane menu' }), 'Clear conversation');
  await toPane(page, 1).getByRole('button', { name: 'Close pane' }).click();
  await expect(toPane(page, 2)).toBeHidden();
  const messages = page.getByRole('log', { name: 'Messages' });
  await messages.getByRole('button', { name: 'Undo' }).click();
  await messages.getByRole('button', { name: 'Reopen' }).click();
  await expect(toPane(page, 2).getByText('You wrote: Mine')).toBeVisible();
});

test('answers of another model than the pane’s are marked with theirs', async () => {
  const page = await open(`/?models=echo`);
  await say(page, 'Mine');
  const pane = toPane(page, 2);
  await choose(toPane(page, 1).getByRole('button', { name: 'Pane menu' }), 'Duplicate pane');
  await expect(pane.getByRole('article')).toHaveCount(1);
  await expect(pane.getByRole('article').getByText('echo', { exact: true })).toHaveCount(0);
  await pane.getByRole('combobox', { name: 'Model' }).fill('stream:5:0');
  await page.keyboard.press('Enter');
  await expect(pane.getByRole('article').getByText('echo', { exact: true })).toBeVisible();
});

test('the result of a call is there again while it is written, and no more once it is given', async () => {
  const page = await open(`/?models=fault:tool-calls`);
  const pane = toPane(page, 1);
  await say(page, 'Where is it?');
  const order = pane.getByRole('textbox', { name: 'Result of get_order' });
  await order.fill('{"state":');
  await open(location.href);
  await expect(order).toHaveValue('{"state":');
  await expect(order).not.toBeFocused();
  await order.press('Control+Enter');
  await expect(pane.getByRole('heading', { name: 'tool get_order' })).toBeVisible();
  await open(location.href);
  await expect(pane.getByRole('textbox', { name: 'Result of get_weather' })).toHaveValue('');
  await expect(order).toHaveCount(0);
});

test('an address that is opened with other models begins a session of its own, and the way back is offered', async () => {
  const page = await open(`/?models=echo,stream:5:0`);
  await say(page, 'Mine', [toPane(page, 1), toPane(page, 2)]);
  await open(`/?models=stream:9:0`);
  const messages = page.getByRole('log', { name: 'Messages' });
  await expect(
    messages.getByText('The link opened in a new session. The one before is kept in Sessions.'),
  ).toBeVisible();
  await expect(messages.getByRole('button', { name: 'Dismiss message' })).toHaveCount(1);
  await expect(toPane(page, 1).getByRole('combobox', { name: 'Model' })).toHaveValue('stream:9:0');
  await expect(toPane(page, 1).getByRole('article')).toHaveCount(0);
  await expect(toPane(page, 2)).toBeHidden();
  await messages.getByRole('button', { name: 'Go back' }).click();
  await expect(toPane(page, 1).getByText('You wrote: Mine')).toBeVisible();
  await expect(toPane(page, 2).getByRole('article')).toHaveCount(1);
  await expect.poll(() => location.search).toMatch(/models=echo,stream:5:0($|&)/);
});

test('an address with fewer models says which conversation leaves, and it comes back', async () => {
  const page = await open(`/?models=echo`);
  await say(page, 'Mine');
  await choose(toPane(page, 1).getByRole('button', { name: 'Pane menu' }), 'Duplicate pane');
  await expect(toPane(page, 2).getByRole('article')).toHaveCount(1);
  // As Back does.
  history.replaceState(null, '', '/?models=echo');
  dispatchEvent(new PopStateEvent('popstate'));
  const messages = page.getByRole('log', { name: 'Messages' });
  await expect(messages.getByText('Replaced 1 pane; conversation saved')).toBeVisible();
  await expect(toPane(page, 2)).toBeHidden();
  await messages.getByRole('button', { name: 'Undo' }).click();
  await expect(toPane(page, 2).getByText('You wrote: Mine')).toBeVisible();
});

test('texts in open editors are there again after a reload and in their session, and take no focus', async () => {
  const page = await open(`/?models=echo`);
  const pane = toPane(page, 1);
  await say(page, 'One');
  const edit = pane.getByRole('group', { name: 'Edit message' });
  const insert = pane.getByRole('group', { name: 'New message' });
  const insertBelow = (): Promise<void> =>
    choose(pane.getByRole('button', { name: 'More for this answer' }), 'Insert below');
  await pane.getByRole('button', { name: 'Edit message' }).click();
  await expect(edit.getByRole('textbox')).toBeFocused();
  await edit.getByRole('textbox').fill('One, in other words');
  await insertBelow();
  await expect(insert.getByRole('textbox')).toBeFocused();
  await insert.getByRole('combobox', { name: 'From' }).selectOption('tool');
  await insert.getByRole('textbox', { name: 'Result' }).fill('half a result');
  await insert.getByRole('textbox', { name: 'Tool' }).fill('get_order');
  await open(location.href);
  await expect(edit.getByRole('textbox')).toHaveValue('One, in other words');
  await expect(insert.getByRole('textbox', { name: 'Result' })).toHaveValue('half a result');
  await expect(insert.getByRole('textbox', { name: 'Tool' })).toHaveValue('get_order');
  expect((await pane.one()).contains(document.activeElement)).toBe(false);

  await page.getByRole('button', { name: /^Sessions, open/ }).click();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(pane.getByRole('article')).toHaveCount(0);
  await expect(edit).toBeHidden();
  await page.getByRole('button', { name: /^Sessions, open/ }).click();
  await page.getByRole('dialog', { name: 'Sessions' }).getByRole('button', { name: /^One/ }).click();
  await expect(edit.getByRole('textbox')).toHaveValue('One, in other words');

  // The tools of a message come when there is time.
  await expect(pane.getByRole('button', { name: 'Edit answer' })).toBeVisible();
  await edit.getByRole('button', { name: 'Save', exact: true }).click();
  await insert.getByRole('button', { name: 'Cancel' }).click();
  await expect(pane.getByRole('button', { name: 'Edit answer' })).toBeFocused();
  await open(location.href);
  await expect(pane.getByText('One, in other words').first()).toBeVisible();
  await expect(edit.or(insert)).toHaveCount(0);
  // an edit that is asked for beside a restored new message takes the focus
  await insertBelow();
  await insert.getByRole('textbox', { name: 'Text' }).fill('half a question');
  await open(location.href);
  await expect(insert.getByRole('textbox', { name: 'Text' })).toHaveValue('half a question');
  await pane.getByRole('button', { name: 'Edit answer' }).click();
  await expect(edit.getByRole('textbox')).toBeFocused();
});

test('a session that can’t be shown does not keep the playground from working', async () => {
  const page = await open(`/?models=echo`);
  await say(page, 'Can’t be shown');
  // Every time this message is drawn, the drawing fails.
  const texts = Object.getPrototypeOf('') as { split: (...rest: unknown[]) => string[] };
  const { split } = texts;
  onTestFinished(() => void (texts.split = split));
  texts.split = function splitOthers(this: unknown, ...rest: unknown[]) {
    if (rest[0] === '\n' && String(this) === 'Can’t be shown') throw new Error('This message breaks the page.');
    return split.apply(this, rest);
  };
  // React says there what it caught.
  vi.spyOn(console, 'error').mockReturnValue();
  await open(location.href);
  const notice = page.getByRole('alert').filter({ hasText: 'The playground stopped working' });
  await expect(notice).toContainText('This message breaks the page.');
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Open a new session' }).click();
  await expect(notice).toBeHidden();
  await say(page, 'Goes on');
  await open(location.href);
  await expect(toPane(page, 1).getByText('You wrote: Goes on')).toBeVisible();
  await page.getByRole('button', { name: /^Sessions, open/ }).click();
  await expect(
    page.getByRole('dialog', { name: 'Sessions' }).getByRole('button', { name: /^Can’t be shown/ }),
  ).toBeVisible();
});
