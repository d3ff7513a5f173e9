import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { setDraft, setLinked, setSettings, setShared, showModels } from './actions.ts';
import { pane, press, setStage } from '#features/playground/web/chatStage.fixture.ts';
import { EMPTY_DESK, paneSettings } from './desk.ts';
import { readDesk, showSession } from './deskStore.ts';
import { applyExample } from './exampleActions.ts';

setStage(createServer);

const TICKETS = { system_prompt: 'You sort tickets.', tools: [] };
const ORDERS = {
  system_prompt: 'Use the order tools.',
  tools: [{ type: 'function', function: { name: 'cancel_order' } }],
};
const ORDER_TOOLS = JSON.stringify(ORDERS.tools, null, 2);
const KEPT = 'The example did not change these settings, so that the panes stay comparable: system prompt.';

const apply = (example: typeof ORDERS | typeof TICKETS, draft: string, index = 0): void =>
  applyExample(pane(index).id, example, draft);

it('fills in the system prompt, the tools and the message, not sent yet', () => {
  showModels(['a']);
  apply(ORDERS, 'Cancel SO1.');
  expect(readDesk()).toMatchObject({
    shared: { systemPrompt: 'Use the order tools.', tools: ORDER_TOOLS },
    draft: 'Cancel SO1.',
  });
  expect(pane(0).turns).toEqual([]);
});

it('takes the place of what was typed for a single pane, and that can be undone', () => {
  showModels(['a']);
  setShared({ systemPrompt: 'Mine.', tools: '[]' });
  setDraft('My message');
  apply(ORDERS, 'Cancel SO1.');
  expect(readDesk()).toMatchObject({
    shared: { systemPrompt: 'Use the order tools.', tools: ORDER_TOOLS },
    draft: 'Cancel SO1.',
  });
  press('Replaced: message, system prompt, tools.');
  expect(readDesk()).toMatchObject({ shared: { systemPrompt: 'Mine.', tools: '[]' }, draft: 'My message' });
});

it('is undone without changing texts written since', () => {
  showModels(['a']);
  setDraft('My message');
  apply(ORDERS, 'Cancel SO1.');
  setShared({ systemPrompt: 'Written since.' });
  press('Replaced: message.');
  expect(readDesk()).toMatchObject({ shared: { systemPrompt: 'Written since.' }, draft: 'My message' });
  expect(readDesk().shared.tools ?? '').toBe('');
});

it('without tools keeps the tools, except those of an earlier example', () => {
  showModels(['a']);
  setShared({ tools: '[]' });
  apply(TICKETS, 'My invoice is wrong.');
  apply(TICKETS, 'Another one.');
  expect(readDesk().shared).toMatchObject({ systemPrompt: 'You sort tickets.', tools: '[]' });
  setShared({ tools: '' });
  apply(ORDERS, 'Cancel SO1.');
  expect(readDesk().shared.tools).toBe(ORDER_TOOLS);
  apply(TICKETS, 'My invoice is wrong.');
  expect(readDesk().shared).toMatchObject({ systemPrompt: 'You sort tickets.' });
  expect(readDesk().shared.tools ?? '').toBe('');
});

it('changes nothing that several panes are compared under, unless asked to, with a way back', () => {
  showModels(['a', 'b']);
  setShared({ systemPrompt: 'Mine.' });
  apply(ORDERS, 'Two lamps.', 1);
  expect(readDesk()).toMatchObject({ shared: { systemPrompt: 'Mine.', tools: ORDER_TOOLS }, draft: 'Two lamps.' });
  press(KEPT);
  expect(readDesk().shared.systemPrompt).toBe('Use the order tools.');
  press('Replaced: system prompt.');
  expect(readDesk().shared.systemPrompt).toBe('Mine.');
});

it('is for its own pane where that has settings of its own', () => {
  showModels(['a', 'b']);
  setLinked(pane(0).id, ['systemPrompt', 'tools'], false);
  setSettings(pane(0).id, { systemPrompt: '', tools: '' });
  apply(ORDERS, 'Two lamps.');
  expect(paneSettings(readDesk(), pane(0))).toMatchObject({ systemPrompt: 'Use the order tools.', tools: ORDER_TOOLS });
  expect(paneSettings(readDesk(), pane(1)).systemPrompt ?? '').toBe('');
});

it('does nothing to another session', () => {
  showModels(['a', 'b']);
  setShared({ systemPrompt: 'Mine.' });
  apply(ORDERS, 'Two lamps.');
  showSession('another', { ...EMPTY_DESK, shared: { systemPrompt: 'Theirs.' } });
  press(KEPT);
  expect(readDesk().shared.systemPrompt).toBe('Theirs.');
});
