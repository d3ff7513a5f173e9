// Decides which link targets of a model's answer may be clicked.

const CLICKABLE: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/**
 * The target as a whole when it may be clicked: an absolute http, https or mailto address. Null for everything else
 * (`javascript:`, `data:`, addresses relative to the dashboard), which is then shown as text.
 */
export function parseLink(target: string): string | null {
  if (!URL.canParse(target)) return null;
  const url = new URL(target);
  return CLICKABLE.has(url.protocol) ? url.href : null;
}
