import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { setShared, showModels } from './actions';
import { applyExample } from './exampleActions';
import { pane, press, setStage } from './chatStage';
import { readDesk } from './deskStore';

setStage(createServer);

const TICKETS = { system_prompt: 'You sort tickets.', tools: [] };
const ORDERS = { system_prompt: 'Use the order tools.', tools: [{ type: 'function', function: { name: 'cancel_order' } }] };
const ORDER_TOOLS = JSON.stringify(ORDERS.tools, null, 2);

it('fills in the system prompt, the tools and the message, not sent yet', () => {
  showModels(['a']);
  applyExample(ORDERS, 'Cancel SO1.');
  expect(readDesk()).toMatchObject({ shared: { systemPrompt: 'Use the order tools.', tools: ORDER_TOOLS }, draft: 'Cancel SO1.' });
  expect(pane(0).turns).toEqual([]);
});

it('takes the place of what was typed for a single pane, and that can be undone', () => {
  showModels(['a']);
  setShared({ systemPrompt: 'Mine.', tools: '[]' });
  applyExample(ORDERS, 'Cancel SO1.');
  expect(readDesk().shared).toMatchObject({ systemPrompt: 'Use the order tools.', tools: ORDER_TOOLS });
  press('Replaced: system prompt and tools.');
  expect(readDesk()).toMatchObject({ shared: { systemPrompt: 'Mine.', tools: '[]' }, draft: 'Cancel SO1.' });
});

it('leaves tools alone where it has none', () => {
  showModels(['a']);
  setShared({ tools: '[]' });
  applyExample(TICKETS, 'My invoice is wrong.');
  expect(readDesk().shared).toMatchObject({ systemPrompt: 'You sort tickets.', tools: '[]' });
});

it('changes nothing that several panes are compared under, unless asked to', () => {
  showModels(['a', 'b']);
  setShared({ systemPrompt: 'Mine.' });
  applyExample(ORDERS, 'Two lamps.');
  expect(readDesk()).toMatchObject({ shared: { systemPrompt: 'Mine.', tools: ORDER_TOOLS }, draft: 'Two lamps.' });
  press('The panes keep what they are compared under: system prompt.');
  expect(readDesk().shared.systemPrompt).toBe('Use the order tools.');
});
