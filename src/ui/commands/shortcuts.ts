// The Alt+Shift shortcuts of the whole page, and `?`. Pure. shortcutList.ts lists all shortcuts.
import type { PlaygroundCommand } from './commands.ts';

export interface KeyPress {
  readonly key: string;
  /** The key's place on the keyboard: with Alt, a Mac gives another letter. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly isComposing: boolean;
}

/** The two ways to share the room between workspace and playground. */
export type ModeCommand = 'decide' | 'try';

/** Work everywhere, also in fields. */
const COMMAND_CODES: Readonly<Record<string, PlaygroundCommand | ModeCommand>> = {
  Digit1: 'decide',
  Digit2: 'try',
  KeyN: 'new-session',
  KeyS: 'sessions',
  KeyM: 'focus-message',
  KeyP: 'next-pane',
};

export function findCommand({
  code,
  altKey,
  shiftKey,
  ctrlKey,
  metaKey,
  isComposing,
}: KeyPress): PlaygroundCommand | ModeCommand | null {
  if (!altKey || !shiftKey || ctrlKey || metaKey || isComposing) return null;
  return Object.hasOwn(COMMAND_CODES, code) ? (COMMAND_CODES[code] ?? null) : null;
}

/** `?` on any keyboard layout. In a field it is a character. */
export function isHelpKey({ key, ctrlKey, metaKey, altKey, isComposing }: KeyPress, isInField: boolean): boolean {
  return key === '?' && !isInField && !ctrlKey && !metaKey && !altKey && !isComposing;
}
