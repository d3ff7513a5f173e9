import { describe, expect, it } from 'vitest';
import { EMPTY_DESK, paneSettings, toPane, type Desk } from '#features/playground/web/desk/desk.ts';
import {
  applyPreset,
  BUILT_IN,
  findNameProblem,
  parsePresets,
  toPreset,
  toPresetText,
  type Preset,
} from './presets.ts';

const desk: Desk = {
  ...EMPTY_DESK,
  panes: [toPane('a', 'm'), { ...toPane('b', 'm'), own: { temperature: 1 } }],
  shared: { systemPrompt: 'Be brief.', temperature: 0.7, top_p: 0.9, tools: '[]' },
};
const all = (now: Desk): unknown => now.panes.map((pane) => paneSettings(now, pane));
const builtIn = (id: string): Preset => BUILT_IN.find((preset) => preset.id === id)!;

describe('applied', () => {
  it('to all linked panes keeps the own settings of a pane', () => {
    expect(all(applyPreset(desk, builtIn('deterministic'), null))).toEqual([
      { systemPrompt: 'Be brief.', temperature: 0, top_p: 0.9, tools: '[]', seed: 42 },
      { systemPrompt: 'Be brief.', temperature: 1, top_p: 0.9, tools: '[]', seed: 42 },
    ]);
  });

  it('to one pane changes no other', () => {
    const next = applyPreset(desk, builtIn('defaults'), 'a');
    expect(all(next)).toEqual([
      { systemPrompt: 'Be brief.' },
      { systemPrompt: 'Be brief.', temperature: 1, top_p: 0.9, tools: '[]' },
    ]);
    expect(next.shared).toBe(desk.shared);
  });

  it('unsets its settings without a value', () =>
    expect(applyPreset(desk, builtIn('defaults'), null).shared).toEqual({ systemPrompt: 'Be brief.' }));

  it('brings back exactly what was saved', () => {
    const saved = toPreset('1', ' Mine ', desk.shared, { hasPrompt: true, hasTools: true });
    expect(saved.name).toBe('Mine');
    expect(applyPreset({ ...desk, shared: { seed: 3, stop: ['x'] } }, saved, null).shared).toEqual(desk.shared);
  });

  it('without prompt and tools leaves them alone', () => {
    const saved = toPreset('1', 'Mine', desk.shared, { hasPrompt: false, hasTools: false });
    expect(saved.settings).toEqual({ temperature: 0.7, top_p: 0.9 });
    expect(
      applyPreset({ ...desk, shared: { systemPrompt: 'Other', tools: '[1]', seed: 3 } }, saved, null).shared,
    ).toEqual({ systemPrompt: 'Other', tools: '[1]', temperature: 0.7, top_p: 0.9 });
  });
});

it('needs a unique name', () => {
  const mine = toPreset('1', 'Mine', {}, { hasPrompt: true, hasTools: true });
  expect([
    findNameProblem(' ', []),
    findNameProblem('Mine ', [mine]),
    findNameProblem('Deterministic', []),
    findNameProblem('Yours', [mine]),
  ]).toEqual([
    'Give it a name.',
    'There is a preset “Mine” already.',
    'There is a preset “Deterministic” already.',
    null,
  ]);
});

describe('stored', () => {
  const mine = toPreset('1', 'Mine', desk.shared, { hasPrompt: true, hasTools: true });

  it('is read back', () => expect(parsePresets(toPresetText([mine]))).toEqual({ presets: [mine], isDamaged: false }));
  it('is empty at first', () => expect(parsePresets(null)).toEqual({ presets: [], isDamaged: false }));

  it.each(['', '{', '[]', 'null', '{"version":2,"presets":[]}', '{"version":1}'])('%j is damaged', (text) =>
    expect(parsePresets(text)).toEqual({ presets: [], isDamaged: true }),
  );

  it('keeps the presets that can be read', () => {
    const text = JSON.stringify({
      version: 1,
      presets: [
        mine,
        null,
        { id: 'x', name: '', about: ['seed'] },
        { id: 'y', name: 'Y', about: ['seed', 'odd'], settings: { seed: 'x', temperature: 1 } },
      ],
    });
    expect(parsePresets(text)).toEqual({
      presets: [mine, { id: 'y', name: 'Y', about: ['seed'], settings: {} }],
      isDamaged: true,
    });
  });
});
