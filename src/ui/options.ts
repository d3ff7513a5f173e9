// What a combo box offers for a typed text. Pure; it must not know what the options stand for.

export interface ComboOption {
  readonly value: string;
  readonly label: string;
  readonly group?: string;
  readonly hint?: string;
}

// A type, not an interface: Base UI asks for an index signature, which only a type alias has by itself.
export type OptionGroup = { readonly name: string; readonly items: ComboOption[] };

/** A list longer than this is cut: nobody reads it, and every row costs. */
export const MAX_SHOWN_OPTIONS = 200;

/** Options in which every word of the text occurs (value, label, hint or group; case is ignored). */
export function findOptions(options: readonly ComboOption[], text: string): readonly ComboOption[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  return options.filter((option) => {
    const haystack = `${option.value}\n${option.label}\n${option.hint ?? ''}\n${option.group ?? ''}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

/** Groups in the order of their first option; options without a group come under the empty name. */
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

/** The value that a committed text stands for: an option's value, an option's exact label, or the text itself. */
export function toOptionValue(options: readonly ComboOption[], text: string): string {
  const typed = text.trim();
  if (options.some((option) => option.value === typed)) return typed;
  return options.find((option) => option.label === typed)?.value ?? typed;
}
