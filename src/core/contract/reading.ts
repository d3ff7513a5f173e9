// Tolerant reading of unknown JSON: bad data becomes a value, never a throw.

/** Either a value, or one sentence about what is wrong with the input. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** `reason`: what is wrong, one sentence or the end of one. */
export const failRead = (reason: string): { readonly ok: false; readonly reason: string } => ({ ok: false, reason });

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property `name`. `__proto__` and inherited properties are never read as data. */
export function ownField(value: JsonObject, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

export function textOr<T>(value: unknown, fallback: T): string | T {
  return typeof value === 'string' ? value : fallback;
}

export function numberOr<T>(value: unknown, fallback: T): number | T {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}

export function arrayOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const NO_FIELDS: JsonObject = Object.freeze({});

/** The fields of `value` that `known` does not have, unchanged. The dashboard shows them all. */
export function extraFields(value: JsonObject, known: object): JsonObject {
  const entries = Object.entries(value).filter(([name]) => !Object.hasOwn(known, name));
  return entries.length === 0 ? NO_FIELDS : Object.fromEntries(entries);
}

/** SPEC has `lora: boolean`; a later revision has `training_type`. null: the service sent neither. */
export function toTrainingType(value: JsonObject): string | null {
  if (typeof value['training_type'] === 'string') return value['training_type'];
  if (typeof value['lora'] === 'boolean') return value['lora'] ? 'lora' : 'full';
  return null;
}
