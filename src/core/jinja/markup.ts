// Text that is marked as HTML (`escape`, `safe`).
import { toText } from './representation.ts';
import { Markup, type Run, type Value } from './values.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};

/** markupsafe.escape(value): marked text stays as it is. */
export function escapeHtml(run: Run, value: Value): Markup {
  if (value instanceof Markup) return value;
  return new Markup(toText(run, value).replace(/[&<>'"]/g, (one) => ENTITIES[one] ?? one));
}
