// The variables of a session: `{{name}}` in system prompts and in the draft, their values, and what is without one.
// Pure. What was sent holds the filled text, so that a value given later changes nothing that was said.
import { fillTemplate, findMissing, findVariables } from '#shared/evaluation/template.ts';
import { paneSettings, type Desk, type Pane, type Values } from './desk.ts';

const NO_VALUES: Values = {};

const toMap = (desk: Desk): ReadonlyMap<string, string> => new Map(Object.entries(desk.values ?? NO_VALUES));

function paneTexts(desk: Desk, pane: Pane): readonly string[] {
  return [paneSettings(desk, pane).systemPrompt ?? '', desk.draft];
}

/** All that the panes in view need, in the order of their first use. */
export function neededVariables(desk: Desk): readonly string[] {
  return findVariables(desk.panes.flatMap((pane) => paneTexts(desk, pane)));
}

/** Variables without a value in what these panes would send. */
export function missingVariables(desk: Desk, panes: readonly Pane[] = desk.panes): readonly string[] {
  return findMissing(
    panes.flatMap((pane) => paneTexts(desk, pane)),
    toMap(desk),
  );
}

/** Why nothing can be sent; null when all have values. */
export function toVariableProblem(missing: readonly string[]): string | null {
  const [name] = missing;
  return name === undefined ? null : `Give the variable ${name} a value first.`;
}

/** The text with the session's values in it. */
export function fillText(desk: Desk, text: string): string {
  return text.includes('{{') ? fillTemplate(text, toMap(desk)) : text;
}

/** A value; null takes it away. */
export function setValue(desk: Desk, name: string, value: string | null): Desk {
  const { [name]: _before, ...others } = desk.values ?? NO_VALUES;
  return { ...desk, values: value === null ? others : { ...others, [name]: value } };
}

/** The variable stands in for itself: what is sent holds it as it is written. */
export const toPlaceholder = (name: string): string => `{{${name}}}`;
