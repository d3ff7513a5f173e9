// Lists of fixed texts as trees. Texts share their common beginnings, so there is one continuation for each next
// character and not for each text. With thousands of values, that decides how long each token takes.

export interface Branch {
  /** The text with which all texts of this branch continue. */
  readonly text: string;
  readonly branches: readonly Branch[];
  /** Whether a text ends here although others continue. */
  readonly isEnd: boolean;
}

/** `texts`: sorted, without repetition, all equal up to `from`. */
function toBranch(texts: readonly string[], from: number): Branch {
  const first = texts[0] ?? '';
  const last = texts.at(-1) ?? '';
  let end = from;
  while (end < first.length && first[end] === last[end]) end += 1;
  // A character beyond the basic plane has two code units, which must stay together.
  if (end > from && end < last.length && /[\uD800-\uDBFF]/.test(last[end - 1] ?? '')) end -= 1;
  const isEnd = first.length === end;
  const groups = new Map<number, string[]>();
  for (const text of isEnd ? texts.slice(1) : texts) {
    const next = text.codePointAt(end) ?? 0;
    const group = groups.get(next);
    if (group === undefined) groups.set(next, [text]);
    else group.push(text);
  }
  return { text: first.slice(from, end), branches: [...groups.values()].map((group) => toBranch(group, end)), isEnd };
}

/** The tree of any texts. */
export function toTextTree(texts: readonly string[]): Branch {
  return toBranch([...new Set(texts)].sort(), 0);
}

function toWidth({ branches, isEnd }: Branch): number {
  return branches.reduce((most, branch) => Math.max(most, toWidth(branch)), branches.length + (isEnd ? 1 : 0));
}

/** The largest number of continuations at one place of the texts. */
export function countBranches(texts: readonly string[]): number {
  return toWidth(toTextTree(texts));
}
