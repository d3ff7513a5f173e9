import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Examples } from '#core/contract/sessionInfo.ts';
import { openPane, setModel, setShared, showModels } from './actions.ts';
import { pane, press, setStage } from '#features/playground/web/chatStage.fixture.ts';
import { paneSettings } from './desk.ts';
import { readDesk } from './deskStore.ts';
import { setExamplesSource } from './examplesSource.ts';
import { dropOffer, takeModelSettings, useOffers } from './settingsOffer.ts';

const NONE = { about: '', tools: [], response_format: null, turns: null, continues_after_tool: null, prompts: [] };
const TRIAGE: Examples = { ...NONE, model: 'triage', system_prompt: 'Classify the ticket.', turns: 'single' };
const REPLIES: Examples = { ...NONE, model: 'replies', system_prompt: 'Reply politely.', turns: 'single' };
const find = (model: string): Examples | null => [TRIAGE, REPLIES].find((each) => each.model === model) ?? null;

setStage(createServer);
beforeEach(() => setExamplesSource({ load: async (model) => find(model), peek: find }));
afterEach(() => setExamplesSource(null));

const prompts = () => readDesk().panes.map((each) => paneSettings(readDesk(), each).systemPrompt);
const offered = (index: number) => useOffers.getState()[pane(index).id] ?? '';
/** Lets the examples arrive. */
const settle = async (): Promise<void> => {
  await import('./settingsOffer.ts');
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

it('settings that came with the former model follow the new one', async () => {
  showModels(['']);
  setModel(pane(0).id, 'triage');
  await settle();
  expect([prompts(), readDesk().isAlone]).toEqual([['Classify the ticket.'], true]);
  setModel(pane(0).id, 'replies');
  await settle();
  expect(prompts()).toEqual(['Reply politely.']);
  setModel(pane(0).id, 'unknown');
  await settle();
  // Nothing is known about the rows of this one, so messages are sent as before.
  expect([prompts(), readDesk().isAlone]).toEqual([[undefined], true]);
  expect(offered(0)).toBe('');
});

it('edited settings stay; the model’s own are offered, and can be taken and given back', async () => {
  showModels(['triage']);
  setShared({ systemPrompt: 'Mine.', temperature: 0 });
  setModel(pane(0).id, 'replies');
  await settle();
  expect([prompts(), offered(0)]).toEqual([['Mine.'], 'replies']);
  takeModelSettings(pane(0).id, REPLIES);
  expect([readDesk().shared, offered(0)]).toEqual([{ systemPrompt: 'Reply politely.', temperature: 0 }, '']);
  setShared({ seed: 1 });
  press('Replaced by the model’s own settings.');
  expect(readDesk().shared).toEqual({ systemPrompt: 'Mine.', temperature: 0, seed: 1 });
  expect(readDesk().isAlone).toBe(undefined);
});

it('panes that are compared keep the settings that they share', async () => {
  showModels(['']);
  setModel(pane(0).id, 'triage');
  await settle();
  openPane('replies');
  await settle();
  expect([prompts(), offered(1)]).toEqual([['Classify the ticket.', 'Classify the ticket.'], 'replies']);
  takeModelSettings(pane(1).id, REPLIES);
  expect(prompts()).toEqual(['Classify the ticket.', 'Reply politely.']);
  press('Replaced by the model’s own settings.');
  expect([prompts(), pane(1).own]).toEqual([['Classify the ticket.', 'Classify the ticket.'], {}]);
  dropOffer(pane(1).id);
  expect(offered(1)).toBe('');
});

it('what is typed while the examples are on their way stays', async () => {
  let resolve: (examples: Examples) => void = () => undefined;
  const arriving = new Promise<Examples>((arrive) => (resolve = arrive));
  setExamplesSource({ load: () => arriving, peek: () => null });
  showModels(['']);
  setModel(pane(0).id, 'triage');
  setShared({ systemPrompt: 'Mine.' });
  resolve(TRIAGE);
  await settle();
  expect(prompts()).toEqual(['Mine.']);
});

it('a service that does not answer changes nothing', async () => {
  setExamplesSource({ load: vi.fn().mockRejectedValue(new Error('gone')), peek: () => null });
  showModels(['']);
  setModel(pane(0).id, 'triage');
  await settle();
  expect(prompts()).toEqual([undefined]);
});
