import { describe, expect, it } from 'vitest';
import { SHORTCUTS, toKeyName } from './shortcutList.ts';
import { findCommand, isHelpKey, type KeyPress } from './shortcuts.ts';

const press = (more: Partial<KeyPress>): KeyPress => ({
  key: '',
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...more,
});
const both = { altKey: true, shiftKey: true };

describe('a command', () => {
  it.each<[string, Partial<KeyPress>, string | null]>([
    ['Alt+Shift+N', { ...both, code: 'KeyN', key: 'N' }, 'new-session'],
    ['the same on a Mac', { ...both, code: 'KeyN', key: '˜' }, 'new-session'],
    ['Alt+Shift+P', { ...both, code: 'KeyP' }, 'next-pane'],
    ['Alt+N', { altKey: true, code: 'KeyN' }, null],
    ['Shift+N', { shiftKey: true, code: 'KeyN' }, null],
    ['with Ctrl', { ...both, ctrlKey: true, code: 'KeyN' }, null],
    ['with Cmd', { ...both, metaKey: true, code: 'KeyN' }, null],
    ['in a composition', { ...both, code: 'KeyN', isComposing: true }, null],
    ['another key', { ...both, code: 'KeyX' }, null],
    ['a name that objects have', { ...both, code: 'constructor' }, null],
  ])('%s', (_what, more, command) => expect(findCommand(press(more))).toBe(command));
});

it('asks for help with ? outside of fields', () => {
  const helps = [
    press({ key: '?', shiftKey: true }),
    press({ key: '?', ctrlKey: true }),
    press({ key: '?', isComposing: true }),
    press({ key: '/', shiftKey: true }),
  ].map((each) => isHelpKey(each, false));
  expect([...helps, isHelpKey(press({ key: '?' }), true)]).toEqual([true, false, false, false, false]);
});

it('tells no key twice in a place, and no label twice', () => {
  for (const { shortcuts } of SHORTCUTS) {
    const labels = shortcuts.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(shortcuts.every(({ keys }) => keys.length > 0 && keys.every((combination) => combination.length > 0))).toBe(
      true,
    );
  }
});

it('names keys as they are printed', () => {
  expect(['Mod', 'Alt', 'K'].map((key) => toKeyName(key, true))).toEqual(['⌘', '⌥', 'K']);
  expect(['Mod', 'Alt', 'K'].map((key) => toKeyName(key, false))).toEqual(['Ctrl', 'Alt', 'K']);
});
