// Finds regular expressions that may take exponential time: a repeated group whose body can match in several ways.
// In doubt a pattern is risky: some that are reported would be fine.

interface Group {
  /** It can match in several ways: it holds a choice, or a repetition without a fixed count. */
  isLoose: boolean;
}

/** The repetition at `at`, or null. `isOpen`: its count is not fixed. */
function readRepetition(pattern: string, at: number): { readonly length: number; readonly isOpen: boolean } | null {
  const sign = pattern[at];
  if (sign === '*' || sign === '+') return { length: 1, isOpen: true };
  if (sign === '?') return { length: 1, isOpen: false };
  const counted = /^\{(\d+)(,(\d*))?\}/.exec(pattern.slice(at, at + 24));
  if (!counted) return null;
  const [text, low, range, high] = counted;
  return { length: text.length, isOpen: range !== undefined && (high === '' || Number(high) - Number(low) > 1) };
}

const endOfClass = (pattern: string, start: number): number => {
  let at = start + 1;
  while (at < pattern.length && pattern[at] !== ']') at += pattern[at] === '\\' ? 2 : 1;
  return at;
};

export function isRiskyPattern(pattern: string): boolean {
  const open: Group[] = [{ isLoose: false }];
  let closed: Group | null = null;
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern[at];
    const repetition = readRepetition(pattern, at);
    if (repetition) {
      if (repetition.isOpen && closed?.isLoose === true) return true;
      const around = open.at(-1);
      if (repetition.isOpen && around) around.isLoose = true;
      at += repetition.length - 1;
      closed = null;
      continue;
    }
    closed = null;
    if (sign === '\\') at += 1;
    else if (sign === '[') at = endOfClass(pattern, at);
    else if (sign === '(') open.push({ isLoose: false });
    else if (sign === '|') {
      const around = open.at(-1);
      if (around) around.isLoose = true;
    } else if (sign === ')' && open.length > 1) {
      closed = open.pop() ?? null;
      const around = open.at(-1);
      if (closed?.isLoose === true && around) around.isLoose = true;
    }
  }
  return false;
}
