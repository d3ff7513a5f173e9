// Finds the token in what a person pastes: the token alone, or the whole link (or line) that was printed at start.
// Pure; the token goes nowhere but into the answer.

/** The token, or an empty text when there is none. */
export function parseToken(pasted: string): string {
  const text = pasted.trim();
  const inLink = /[?&]token=([^&#\s]+)/.exec(text)?.[1];
  if (inLink === undefined) return text;
  try {
    return decodeURIComponent(inLink);
  } catch {
    return inLink;
  }
}
