// Tells system prompts and schemas apart: an answer keeps the keys of those that it was asked under, so that changed
// ones are never shown with it as if they were those. Pure.
import { paneSettings, type Desk, type Pane, type Values } from './desk.ts';
import { answerSchema, type SchemaSetting } from './settings.ts';
import { fillText } from './variables.ts';

/** FNV-1a, 32 bits, with the length: enough to tell an edited prompt from the one before. */
export function toPromptKey(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${text.length}.${(hash >>> 0).toString(36)}`;
}

/** Many answers of a pane ask for the same key with each change of the desk. */
let last: { readonly text: string; readonly values: Values | undefined; readonly key: string } = {
  text: '',
  values: undefined,
  key: toPromptKey(''),
};

/** The key of what the pane would send now, its variables filled in. */
export function panePromptKey(desk: Desk, pane: Pane): string {
  const text = paneSettings(desk, pane).systemPrompt ?? '';
  // Blanks alone are not sent.
  if (last.text !== text || last.values !== desk.values)
    last = { text, values: desk.values, key: toPromptKey(text.trim() === '' ? '' : fillText(desk, text)) };
  return last.key;
}

/**
 * The key of a schema as it is typed; of JSON the layout does not count. The reader that finds faults would weigh on
 * the first view.
 */
function toSchemaKey(text: string): string {
  try {
    return toPromptKey(JSON.stringify(JSON.parse(text)));
  } catch {
    return toPromptKey(text.trim());
  }
}

const NO_SCHEMA = toPromptKey('');
/** Settings never change in place, so each schema is read once. */
const schemaKeys = new WeakMap<SchemaSetting, string>();

/** The key of the schema that the pane's answers are checked against now; none and an empty one are the same. */
export function paneSchemaKey(desk: Desk, pane: Pane): string {
  const settings = paneSettings(desk, pane);
  const { schema } = settings;
  if (schema === undefined || answerSchema(settings) === null) return NO_SCHEMA;
  const key = schemaKeys.get(schema) ?? toSchemaKey(schema.text);
  schemaKeys.set(schema, key);
  return key;
}
