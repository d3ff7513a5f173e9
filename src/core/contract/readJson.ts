// Tolerant reading of unknown JSON: bad data becomes a value, never a throw.

/** Either a value, or one sentence about what is wrong with the input. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** `reason`: what is wrong, one sentence or the end of one. */
export const failRead = (reason: string): { readonly ok: false; readonly reason: string } => ({ ok: false, reason });

/** The value of a JSON text; `other`, which no JSON is if it is undefined, for a text that is none. */
export function parseJson(text: string, other?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return other;
  }
}

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

export const toTextOrNull = (value: unknown): string | null => textOr(value, null);

export const toNumberOrNull = (value: unknown): number | null => numberOr(value, null);

type FieldReaders = Readonly<Record<string, (value: unknown) => unknown>>;

/** The fields that readers know, and the others unchanged in `extra`: the dashboard shows them all. */
export type ReadFields<Readers extends FieldReaders> = {
  readonly [Name in keyof Readers]: ReturnType<Readers[Name]>;
} & { readonly extra: JsonObject };

export function readFields<Readers extends FieldReaders>(value: JsonObject, readers: Readers): ReadFields<Readers> {
  const read = Object.entries(readers).map(([name, readField]) => [name, readField(ownField(value, name))]);
  const others = Object.entries(value).filter(([name]) => !Object.hasOwn(readers, name));
  return { ...Object.fromEntries(read), extra: Object.fromEntries(others) } as ReadFields<Readers>;
}

/** SPEC has `lora: boolean`; a later revision has `training_type`. null: the service sent neither. */
export function toTrainingType(value: JsonObject): string | null {
  if (typeof value['training_type'] === 'string') return value['training_type'];
  if (typeof value['lora'] === 'boolean') return value['lora'] ? 'lora' : 'full';
  return null;
}
