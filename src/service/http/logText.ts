// A failure as the log has it. Loads nothing, because it is told also when nothing could be loaded.

/** What drizzle throws says its SQL and its values, which are rows and answers of people. */
const FAILED_QUERY = 'Failed query:';

/** With its stack. Of a failed query: its cause, and where it was asked. */
export function toLogText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stack = '', message, cause } = error;
  if (!message.startsWith(FAILED_QUERY)) return stack || message;
  const from = stack.indexOf(message);
  const frames = from < 0 ? '' : stack.slice(from + message.length);
  return `A query failed: ${cause instanceof Error ? cause.message : 'no reason is known.'}${frames}`;
}
