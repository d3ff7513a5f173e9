// How many lines the names above axes need: they break after an underscore, a hyphen or a space. Pure.

export const LEAST_HEAD_LINES = 2;
/** A longer name is cut; its tooltip has all of it. */
const MOST_HEAD_LINES = 3;
/** The monospaced font of 11 px. */
const CHARACTER = 6.7;

function countLines(label: string, most: number): number {
  let [lines, used] = [1, 0];
  for (const part of label.split(/(?<=[_\-\s])/)) {
    const { length } = part.trimEnd();
    if (used > 0 && used + length > most) [lines, used] = [lines + 1, 0];
    // A part that is wider than a line breaks anywhere.
    lines += Math.max(0, Math.ceil((used + length) / most) - 1);
    used = ((Math.max(1, used + part.length) - 1) % most) + 1;
  }
  return lines;
}

/** Lines for names in heads of `width` pixels. */
export function toHeadLines(labels: readonly string[], width: number): number {
  const most = Math.max(1, Math.floor(width / CHARACTER));
  return labels.reduce(
    (lines, label) => Math.min(MOST_HEAD_LINES, Math.max(lines, countLines(label, most))),
    LEAST_HEAD_LINES,
  );
}
