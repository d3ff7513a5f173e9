// How deeply a JSON text nests, found without parsing it: a recursive parser or reader must never see the deep ones.
// Pure.

const QUOTE = 34;
const BACKSLASH = 92;

/** True when brackets nest deeper than `limit`. Text that is not JSON gives some answer, never an error. */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      for (index += 1; index < text.length; index += 1) {
        const inner = text.charCodeAt(index);
        if (inner === QUOTE) break;
        if (inner === BACKSLASH) index += 1;
      }
    } else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 125 || code === 93) {
      depth -= 1;
    }
  }
  return false;
}
