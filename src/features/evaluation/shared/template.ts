// Variables in prompts: `{{name}}`. Values are inserted unchanged; `{{...}}` in a value is plain text.

const VARIABLE = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]{0,63})\s*\}\}/gu;

/** The names of the variables, each once, in order of first occurrence. */
export function findVariables(texts: readonly string[]): readonly string[] {
  const names = texts.flatMap((text) => [...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''));
  return [...new Set(names)];
}

/** The variables without a value. An empty text is a value. */
export function findMissing(texts: readonly string[], values: ReadonlyMap<string, string>): readonly string[] {
  return findVariables(texts).filter((name) => !values.has(name));
}

/** Replaces the variables that have a value. Others stay as written. */
export function fillTemplate(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(VARIABLE, (whole, name: string) => values.get(name) ?? whole);
}
