import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { setLinked, setSettings, setShared, showModels } from '#features/playground/web/desk/actions.ts';
import { pane, press, setStage } from '#features/playground/web/chatStage.fixture.ts';
import { readDesk } from '#features/playground/web/desk/deskStore.ts';
import { choosePreset } from './presetActions.ts';
import { BUILT_IN } from './presets.ts';

setStage(createServer);

const DETERMINISTIC = BUILT_IN[0]!;

it('undoes a preset and keeps later changes', () => {
  showModels(['a']);
  setShared({ temperature: 1.5 });
  choosePreset(DETERMINISTIC, null);
  expect(readDesk().shared).toMatchObject({ temperature: 0, seed: 42 });
  setShared({ systemPrompt: 'Be brief.' });
  press('“Deterministic” applied');
  expect(readDesk().shared).toMatchObject({ temperature: 1.5, systemPrompt: 'Be brief.' });
  expect(readDesk().shared.seed).toBeUndefined();
});

it('undoes a preset of one pane and keeps its links', () => {
  showModels(['a', 'b']);
  setLinked(pane(0).id, ['top_p'], false);
  choosePreset(DETERMINISTIC, pane(0).id);
  setSettings(pane(0).id, { top_p: 0.5 });
  press('“Deterministic” applied');
  expect(pane(0).own).toEqual({ top_p: 0.5 });
});
