import { describe, expect, it } from 'vitest';
import { COMMANDS, findCommand, handleCommands, runCommand, type KeyPress } from './commands.ts';
import { SHORTCUTS, toKeyName } from './shortcutScopes.ts';

it('reaches those who take it, and no other', () => {
  const seen: string[] = [];
  const stops = [
    handleCommands(() => ({ chat: () => seen.push('a chat') })),
    handleCommands(() => ({ chat: () => seen.push('b chat'), grid: () => seen.push('b grid') })),
  ];
  runCommand('grid');
  runCommand('chat');
  for (const stop of stops) stop();
  expect(seen).toEqual(['b grid', 'a chat', 'b chat']);
});

it('waits for whoever comes, once, and only the last one asked for', () => {
  const seen: string[] = [];
  const [chat, grid] = [() => seen.push('chat'), () => seen.push('grid')];
  runCommand('chat');
  runCommand('grid');
  const stops = [handleCommands(() => ({ chat })), handleCommands(() => ({ grid })), handleCommands(() => ({ grid }))];
  expect(seen).toEqual(['grid']);
  for (const stop of stops) stop();
  runCommand('chat');
  runCommand('grid');
  handleCommands(() => ({ chat }))();
  handleCommands(() => ({ grid }))();
  expect(seen).toEqual(['grid', 'grid']);
});

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
    ['Alt+Shift+1', { ...both, code: 'Digit1', key: '!' }, 'decide'],
    ['Alt+N', { altKey: true, code: 'KeyN' }, null],
    ['Shift+N', { shiftKey: true, code: 'KeyN' }, null],
    ['with Ctrl', { ...both, ctrlKey: true, code: 'KeyN' }, null],
    ['with Cmd', { ...both, metaKey: true, code: 'KeyN' }, null],
    ['in a composition', { ...both, code: 'KeyN', isComposing: true }, null],
    ['another key', { ...both, code: 'KeyX' }, null],
  ])('%s', (_what, more, command) => expect(findCommand(press(more), true)).toBe(command));
});

it('asks for help with ? outside of fields', () => {
  const helps = [
    press({ key: '?', shiftKey: true }),
    press({ key: '?', ctrlKey: true }),
    press({ key: '?', isComposing: true }),
    press({ key: '/', shiftKey: true }),
  ].map((each) => findCommand(each, false));
  expect([...helps, findCommand(press({ key: '?' }), true)]).toEqual(['shortcuts', null, null, null, null]);
});

it('gives no key and no label to two commands', () => {
  const records = Object.values(COMMANDS);
  const [labels, keys] = [records.map(({ label }) => label), records.flatMap(({ key }) => key ?? [])];
  expect([new Set(labels).size, new Set(keys).size]).toEqual([labels.length, keys.length]);
});

it('tells no label twice in a place of the sheet, and none without a key', () => {
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
