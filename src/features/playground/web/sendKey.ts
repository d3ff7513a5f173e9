// Which key sends the message. Pure.

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** Browsers report the Enter that ends an IME composition with this code when `isComposing` is already false. */
const COMPOSING_CODE = 229;

/** Enter, also with Ctrl or Cmd. Shift+Enter is a new line; Enter inside an IME composition belongs to the composition. */
export function isSendKey({ key, shiftKey, ctrlKey, metaKey, isComposing, keyCode }: KeyPress): boolean {
  if (key !== 'Enter' || isComposing || keyCode === COMPOSING_CODE) return false;
  return ctrlKey || metaKey || !shiftKey;
}

/** In a field of several lines, Enter is a new line, and Enter with Ctrl or Cmd sends. */
export const isMultilineSendKey = (press: KeyPress): boolean => isSendKey(press) && (press.ctrlKey || press.metaKey);
