// Keys that tell system prompts and schemas apart. An answer stores the keys of its own prompt and schema, so the page
// can say when they have changed since. Pure.
import { parseJson } from '#core/contract/readJson.ts';
import { paneSettings, type Desk, type Pane, type Values } from './desk.ts';
import { answerSchema, type SchemaSetting } from './settings.ts';
import { fillText } from './variables.ts';

/** FNV-1a, 32 bits, with the length: enough to detect an edited prompt. */
export function toPromptKey(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${text.length}.${(hash >>> 0).toString(36)}`;
}

/** A cache of one: many answers of a pane read the same key after each change of the desk. */
let last: { readonly text: string; readonly values: Values | undefined; readonly key: string } = {
  text: '',
  values: undefined,
  key: toPromptKey(''),
};

/** The key of the system prompt that the pane would send now, with variables filled in. */
export function panePromptKey(desk: Desk, pane: Pane): string {
  const text = paneSettings(desk, pane).systemPrompt ?? '';
  // A blank prompt is not sent.
  if (last.text !== text || last.values !== desk.values)
    last = { text, values: desk.values, key: toPromptKey(text.trim() === '' ? '' : fillText(desk, text)) };
  return last.key;
}

/**
 * The key of a typed schema; JSON layout doesn't matter. Uses JSON.parse, as our own parser would slow the first view.
 */
function toSchemaKey(text: string): string {
  return toPromptKey(JSON.stringify(parseJson(text)) ?? text.trim());
}

const NO_SCHEMA = toPromptKey('');
/** Settings never change in place, so each schema is parsed once. */
const schemaKeys = new WeakMap<SchemaSetting, string>();

/** The key of the schema that checks the pane's answers now. No schema and an empty schema have the same key. */
export function paneSchemaKey(desk: Desk, pane: Pane): string {
  const settings = paneSettings(desk, pane);
  const { schema } = settings;
  if (schema === undefined || answerSchema(settings) === null) return NO_SCHEMA;
  const key = schemaKeys.get(schema) ?? toSchemaKey(schema.text);
  schemaKeys.set(schema, key);
  return key;
}
