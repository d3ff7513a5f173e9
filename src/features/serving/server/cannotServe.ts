/** A checkpoint can't be served in this way. The message is for people. */
export class CannotServe extends Error {
  override readonly name = 'CannotServe';
}
