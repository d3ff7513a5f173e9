// YAML as PyYAML writes it (version 1.1: `yes` is true), bounded.
import { parseDocument } from 'yaml';
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import { messageOf } from '#features/runs/server/errorText.ts';
import { Unreadable } from '#features/runs/server/reader.ts';

/** Most bytes of a config that is parsed. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The mapping of a YAML file. Throws Unreadable, also for a file that holds something else. */
export function parseYamlRecord(content: Uint8Array | string): JsonObject {
  if (content.length > MAX_BYTES) throw new Unreadable('The file is too large to be read as YAML');
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  try {
    const document = parseDocument(text, { version: '1.1', logLevel: 'silent', uniqueKeys: false });
    const [error] = document.errors;
    if (error) throw error;
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (isObject(value)) return value;
  } catch (error) {
    throw new Unreadable(`It is not complete YAML: ${messageOf(error).slice(0, 200)}`);
  }
  throw new Unreadable('It holds no settings');
}
