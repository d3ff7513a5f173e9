// Tells system prompts apart: an answer keeps the key of the one that it was asked under, so that a changed prompt is never
// shown above it as if it were that one. Pure.
import { paneSettings, type Desk, type Pane, type Values } from './desk';
import { fillText } from './variables';

/** FNV-1a, 32 bits, with the length: enough to tell an edited prompt from the one before. */
export function toPromptKey(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${text.length}.${(hash >>> 0).toString(36)}`;
}

/** Many answers of a pane ask for the same key with each change of the desk. */
let last: { readonly text: string; readonly values: Values | undefined; readonly key: string } = { text: '', values: undefined, key: toPromptKey('') };

/** The key of what the pane would send now, its variables filled in. */
export function panePromptKey(desk: Desk, pane: Pane): string {
  const text = paneSettings(desk, pane).systemPrompt ?? '';
  // Blanks alone are not sent.
  if (last.text !== text || last.values !== desk.values) last = { text, values: desk.values, key: toPromptKey(text.trim() === '' ? '' : fillText(desk, text)) };
  return last.key;
}
