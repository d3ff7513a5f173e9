import { Silence } from '#service/files/mountCalls.ts';

/** A checkpoint can't be served in this way. The message is for people. */
export class CannotServe extends Error {
  override readonly name = 'CannotServe';
}

/** What files tell. `what`: for the message. Throws CannotServe for a mount that hangs. */
export async function fromMount<Value>(what: string, work: Promise<Value>): Promise<Value> {
  return work.catch((error: unknown) => {
    if (error instanceof Silence) throw new CannotServe(`${what} can't be read: ${error.message}. Check the mount.`);
    throw error;
  });
}
