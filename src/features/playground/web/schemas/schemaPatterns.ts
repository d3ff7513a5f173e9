// Parts of a regular expression that the studio's own engine can't enforce
// (src/engine/grammar/patternRules.ts). Pure.

/** An escape, a whole class, or the start of a group that does more than group. */
const PARTS = /\\(u\{|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?(?!:)(<?[=!]|<)?/gu;
const CLASS_ESCAPES = /\\(u\{|[\s\S])/gu;
/** Letters and digits that may follow a backslash. */
const KNOWN = 'dDwWsSnrtfvxu';

const isKnown = (char: string, more = ''): boolean => !/^[a-zA-Z0-9]/.test(char) || (KNOWN + more).includes(char);

/** Names the first such part in a few words, such as "a lookaround"; null if there is none. */
export function findUnenforced(pattern: string): string | null {
  for (const [part, escaped, group] of pattern.matchAll(PARTS)) {
    if (part.startsWith('(?'))
      return group === undefined ? 'a group with flags' : group === '<' ? 'a named group' : 'a lookaround';
    if (escaped !== undefined && /^[1-9k]$/.test(escaped)) return 'a backreference';
    if (escaped !== undefined && !isKnown(escaped)) return `“${part}”`;
    const inClass = part.startsWith('[')
      ? [...part.matchAll(CLASS_ESCAPES)].find(([, char = '']) => !isKnown(char, 'b'))
      : undefined;
    if (inClass) return `“${inClass[0]}”`;
  }
  return null;
}
