// How long a name may be. A field that cuts a pasted text hides that it did: the reason is said instead. Pure.

/** Why the name is too long; null: it is not. White space around it does not count. */
export function findLengthProblem(name: string, maxLength: number): string | null {
  const { length } = name.trim();
  return length <= maxLength
    ? null
    : `A name has at most ${maxLength} characters, and this one has ${length}. Shorten it by ${length - maxLength}.`;
}
