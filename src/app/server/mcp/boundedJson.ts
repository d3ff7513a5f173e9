// Answers for an assistant, whose context is small: a long one keeps its shape, and of its lists and texts the beginnings.

/** How many entries of each list and characters of each text stay, until the whole fits. */
const STEPS = [
  [1000, 20_000],
  [200, 5_000],
  [50, 2_000],
  [20, 500],
  [5, 200],
  [1, 100],
] as const;

function shorten(value: unknown, entries: number, characters: number): unknown {
  if (typeof value === 'string')
    return value.length > characters
      ? `${value.slice(0, characters)}… (${value.length - characters} more characters)`
      : value;
  if (Array.isArray(value)) {
    const kept = value.slice(0, entries).map((each: unknown) => shorten(each, entries, characters));
    return value.length > entries ? [...kept, `… ${value.length - entries} more entries`] : kept;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shorten(each, entries, characters)]));
}

/** JSON of at most `maxCharacters`, which says what was left out. */
export function toBoundedJson(value: unknown, maxCharacters: number): string {
  const whole = JSON.stringify(value);
  if (whole.length <= maxCharacters) return whole;
  for (const [entries, characters] of STEPS) {
    const short = JSON.stringify(shorten(value, entries, characters));
    if (short.length <= maxCharacters) return short;
  }
  return JSON.stringify(`The answer has ${whole.length} characters, too many to be read. Ask for a part of it.`);
}
