// The longest name. A field that silently cuts a pasted text would hide it, so the reason is shown. Pure.

/** Why the name is too long; null: it is not. Surrounding white space does not count. */
export function findLengthProblem(name: string, maxLength: number): string | null {
  const { length } = name.trim();
  return length <= maxLength
    ? null
    : `A name has at most ${maxLength} characters, and this one has ${length}. Shorten it by ${length - maxLength}.`;
}
