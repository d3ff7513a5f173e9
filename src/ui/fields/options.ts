// The options that a combo box offers for a typed text. Pure.

export interface ComboOption {
  readonly value: string;
  readonly label: string;
  readonly group?: string;
  readonly hint?: string;
  /** Shown while nobody edits the field; default: the value. */
  readonly short?: string;
}

export interface OptionGroup {
  readonly name: string;
  readonly items: readonly ComboOption[];
}

/** The shown list: `rows` are the options of all groups in screen order; `more` is the number of hidden ones. */
export interface Offer {
  readonly groups: readonly OptionGroup[];
  readonly rows: readonly ComboOption[];
  readonly more: number;
  /** The text names its option, or none: nothing is left to choose. */
  readonly isSettled: boolean;
}

/** A longer list is cut: nobody reads it, and every row costs. */
const MAX_SHOWN_OPTIONS = 200;

/** Options in which every word of the text occurs (value, label, hint or group; case is ignored). */
export function findOptions(options: readonly ComboOption[], text: string): readonly ComboOption[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  return options.filter((option) => {
    const haystack = `${option.value}\n${option.label}\n${option.hint ?? ''}\n${option.group ?? ''}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

/** Groups in the order of their first option; options without a group go to the empty name. */
export function groupOptions(options: readonly ComboOption[]): OptionGroup[] {
  const groups = new Map<string, ComboOption[]>();
  for (const option of options) {
    const name = option.group ?? '';
    const items = groups.get(name);
    if (items) items.push(option);
    else groups.set(name, [option]);
  }
  return [...groups].map(([name, items]) => ({ name, items }));
}

/** `draft` is the typed text; null shows everything. */
export function toOffer(options: readonly ComboOption[], draft: string | null): Offer {
  const found = findOptions(options, draft ?? '');
  const groups = groupOptions(found.slice(0, MAX_SHOWN_OPTIONS));
  return {
    groups,
    rows: groups.flatMap((group) => group.items),
    more: Math.max(0, found.length - MAX_SHOWN_OPTIONS),
    isSettled: draft !== null && (found.length === 0 || found.some((option) => option.value === draft)),
  };
}

/** The row after (1) or before (-1) the marked one; past either end no row (null), and then the other end. */
export function stepRow(rows: readonly ComboOption[], marked: string | null, direction: 1 | -1): string | null {
  const at = rows.findIndex((row) => row.value === marked);
  const next = at === -1 && direction === -1 ? rows.length - 1 : at + direction;
  return rows[next]?.value ?? null;
}

/** Id of a row's element, for aria-activedescendant. */
export function toRowId(listId: string, at: number): string {
  return `${listId}-row-${at}`;
}

/** The value of a committed text: an option's value, an option's exact label, or the text itself. */
export function toOptionValue(options: readonly ComboOption[], text: string): string {
  const typed = text.trim();
  if (options.some((option) => option.value === typed)) return typed;
  return options.find((option) => option.label === typed)?.value ?? typed;
}
