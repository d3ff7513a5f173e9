// Why the service can't start.
/** A failure at the start. Its message is one line: what happened and what to do. The process exits with code 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
