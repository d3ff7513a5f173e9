// Tolerant reading of unknown JSON: bad data becomes a value, never a throw.

/** A result that carries either a value or one sentence on what is wrong with the input. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** `reason`: what is wrong, one sentence or the end of one. */
export const failRead = (reason: string): { readonly ok: false; readonly reason: string } => ({ ok: false, reason });

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property `name`, so that `__proto__` and inherited names are never taken for data. */
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

/** The own fields of `value` whose names `known` does not have, as they came; they are shown, never dropped. */
export function extraFields(value: JsonObject, known: object): JsonObject {
  const entries = Object.entries(value).filter(([name]) => !Object.hasOwn(known, name));
  return entries.length === 0 ? NO_FIELDS : Object.fromEntries(entries);
}

/** SPEC has `lora: boolean`; a later revision has `training_type`. `null`: the service said neither. */
export function toTrainingType(value: JsonObject): string | null {
  if (typeof value['training_type'] === 'string') return value['training_type'];
  if (typeof value['lora'] === 'boolean') return value['lora'] ? 'lora' : 'full';
  return null;
}
