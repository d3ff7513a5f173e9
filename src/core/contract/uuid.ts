// The form of an id (SPEC 2.1: UUID format, any version).

export const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** What is said of a text that is none, after the name of its field. */
export const UUID_RULE = 'must be a UUID, such as 6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab';

/** The last id in a path, in small letters; null: it has none. */
export function lastIdOf(path: string): string | null {
  const ids = path.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi);
  return ids?.at(-1)?.toLowerCase() ?? null;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
