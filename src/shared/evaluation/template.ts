// Variables in prompts: `{{name}}`. Values are put in as they are and never read again for variables.

const VARIABLE = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]{0,63})\s*\}\}/gu;

/** The names in the order in which they first occur, each once. */
export function findVariables(texts: readonly string[]): readonly string[] {
  const names = texts.flatMap((text) => [...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''));
  return [...new Set(names)];
}

/** Names without a value. An empty text is a value that someone chose, a missing one is not. */
export function findMissing(texts: readonly string[], values: ReadonlyMap<string, string>): readonly string[] {
  return findVariables(texts).filter((name) => !values.has(name));
}

/** The text with every variable that has a value replaced; others stay as they were written. */
export function fillTemplate(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(VARIABLE, (whole, name: string) => values.get(name) ?? whole);
}
