import { expect, it } from 'vitest';
import { isSendKey, isMultilineSendKey, type KeyPress } from './sendKey.ts';

const ENTER: KeyPress = {
  key: 'Enter',
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  isComposing: false,
  keyCode: 13,
};

it.each<[string, Partial<KeyPress>, boolean]>([
  ['Enter', {}, true],
  ['Ctrl+Enter', { ctrlKey: true }, true],
  ['Cmd+Enter', { metaKey: true }, true],
  ['Ctrl+Shift+Enter', { ctrlKey: true, shiftKey: true }, true],
  ['Shift+Enter, a new line', { shiftKey: true }, false],
  ['Enter in an IME composition', { isComposing: true }, false],
  ['the Enter that ends an IME composition', { keyCode: 229 }, false],
  ['Ctrl+Enter in an IME composition', { ctrlKey: true, isComposing: true }, false],
  ['a letter', { key: 'a', keyCode: 65 }, false],
  ['Ctrl and a letter', { key: 'a', keyCode: 65, ctrlKey: true }, false],
  ['a key still being composed', { key: 'Process', keyCode: 229 }, false],
])('%s', (_what, press, expected) => expect(isSendKey({ ...ENTER, ...press })).toBe(expected));

it.each<[string, Partial<KeyPress>, boolean]>([
  ['Enter, a new line', {}, false],
  ['Shift+Enter', { shiftKey: true }, false],
  ['Ctrl+Enter', { ctrlKey: true }, true],
  ['Cmd+Enter', { metaKey: true }, true],
  ['Ctrl+Enter in an IME composition', { ctrlKey: true, keyCode: 229 }, false],
])('of several lines: %s', (_what, press, expected) =>
  expect(isMultilineSendKey({ ...ENTER, ...press })).toBe(expected),
);
