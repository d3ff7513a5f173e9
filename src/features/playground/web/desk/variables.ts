// The variables of a session: `{{name}}` in system prompts and in the draft, and their values. Pure. Sent messages hold
// the filled text, so a later value doesn't change them.
import { fillTemplate, findMissing, findVariables } from '#features/evaluation/shared/template.ts';
import { paneSettings, type Desk, type Pane, type Values } from './desk.ts';

const NO_VALUES: Values = {};

const toMap = (desk: Desk): ReadonlyMap<string, string> => new Map(Object.entries(desk.values ?? NO_VALUES));

function paneTexts(desk: Desk, pane: Pane): readonly string[] {
  return [paneSettings(desk, pane).systemPrompt ?? '', desk.draft];
}

/** The variables that the panes in view need, in order of first use. */
export function neededVariables(desk: Desk): readonly string[] {
  return findVariables(desk.panes.flatMap((pane) => paneTexts(desk, pane)));
}

/** Variables without a value in the texts that these panes would send. */
export function missingVariables(desk: Desk, panes: readonly Pane[] = desk.panes): readonly string[] {
  return findMissing(
    panes.flatMap((pane) => paneTexts(desk, pane)),
    toMap(desk),
  );
}

/** Why nothing can be sent; null if no value is missing. */
export function toVariableProblem(missing: readonly string[]): string | null {
  const [name] = missing;
  return name === undefined ? null : `Give the variable ${name} a value first.`;
}

/** The text with the session's values in it. */
export function fillText(desk: Desk, text: string): string {
  return text.includes('{{') ? fillTemplate(text, toMap(desk)) : text;
}

/** Sets a value; null removes it. */
export function setValue(desk: Desk, name: string, value: string | null): Desk {
  const { [name]: _before, ...others } = desk.values ?? NO_VALUES;
  return { ...desk, values: value === null ? others : { ...others, [name]: value } };
}

/** The variable as written. As its value, it sends the text unchanged. */
export const toPlaceholder = (name: string): string => `{{${name}}}`;
