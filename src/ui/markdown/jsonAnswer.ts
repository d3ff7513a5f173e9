// Answers that are JSON and not markdown: shown as code, so that no character of them is taken for markup.
// Pure. Decided by how the answer begins, so that it looks the same while it grows and afterwards.

const JSON_START = /^\s*(?:\{\s*["}]|\[\s*[{"])/;

/** The markdown to show for an answer: itself, or a code block around JSON. */
export function toMarkdown(text: string): string {
  if (!JSON_START.test(text.slice(0, 200))) return text;
  const longest = text.includes('```') ? Math.max(...(text.match(/`+/g) ?? []).map((run) => run.length)) : 2;
  return `${'`'.repeat(longest + 1)}json\n${text}`;
}
