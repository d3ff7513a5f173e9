// Settings as a trainer wrote them become parameters: one place for what is left out, and for how long a value may be.
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import type { Fact, FactSource, ParameterValue } from '#features/runs/server/evidence.ts';
import { isSecretKey } from '#features/runs/server/secretKeys.ts';

/** Longest value that is kept, in characters. A chat template may be longer. */
const MAX_VALUE = 4000;
const MAX_SETTINGS = 3000;

/** Adds the settings that the map does not have yet. Secrets are left out, also those inside of lists and objects. */
export function addSettings(
  target: Map<string, Fact<ParameterValue>>,
  settings: JsonObject,
  source: FactSource,
  toName = (key: string): string => key,
): void {
  for (const [key, raw] of Object.entries(settings)) {
    const name = toName(key);
    if (target.size >= MAX_SETTINGS) return;
    if (target.has(name) || isSecretKey(key)) continue;
    const value = toParameterValue(raw);
    if (value !== undefined) target.set(name, { value, source });
  }
}

export function toParameters(settings: JsonObject, source: FactSource): Map<string, Fact<ParameterValue>> {
  const parameters = new Map<string, Fact<ParameterValue>>();
  addSettings(parameters, settings, source);
  return parameters;
}

/** Lists and objects as JSON text. undefined: the value can't be shown. */
export function toParameterValue(raw: unknown): ParameterValue | undefined {
  if (raw === null || typeof raw === 'number' || typeof raw === 'boolean') return raw;
  if (typeof raw === 'string') return cut(raw);
  if (typeof raw !== 'object') return undefined;
  try {
    return cut(
      JSON.stringify(raw, (key, value: unknown) => (key !== '' && isSecretKey(key) ? undefined : spell(value))),
    );
  } catch {
    // Nested too deeply.
    return undefined;
  }
}

const cut = (text: string): string => (text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text);

/** JSON has no word for NaN and infinities. */
const spell = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value instanceof Map ? toPlain(value) : value;

const toPlain = (map: ReadonlyMap<unknown, unknown>): JsonObject =>
  Object.fromEntries([...map].map(([key, value]) => [String(key), value]));

/** The settings of an object in an object: `{a: {b: 1}}` becomes `a.b`. Empty objects and lists stay as they are. */
export function flattenSettings(settings: JsonObject, prefix = '', depth = 0): JsonObject {
  const found: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(settings)) {
    if (isObject(value) && depth < 5 && Object.keys(value).length > 0) {
      if (!isSecretKey(key)) Object.assign(found, flattenSettings(value, `${prefix}${key}.`, depth + 1));
    } else if (!isSecretKey(key)) found[`${prefix}${key}`] = value;
  }
  return found;
}
