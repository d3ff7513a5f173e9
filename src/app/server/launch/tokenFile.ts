// The file of `worker --token-file`: one token, as `token add NAME > FILE` writes it. Pure.

/** Empty lines, comments, and what npm says of a command before it starts it. */
const IS_NOTHING = /^(?:[#>].*)?$/;
const IS_TOKEN = /^[!-~]+$/;

/** PowerShell writes what it redirects as UTF-16. */
const decode = (bytes: Uint8Array): string =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);

/** `path`: for messages. Throws an Error for people, which never holds what the file does. */
export function parseTokenFile(bytes: Uint8Array, path: string): string {
  const lines = decode(bytes)
    .split(/\r?\n/)
    .map((line, at) => ({ text: line.trim(), number: at + 1 }))
    .filter(({ text }) => !IS_NOTHING.test(text));
  const [first, second] = lines;
  if (first === undefined)
    throw new Error(
      `${path} holds no token. Make one on the studio's machine with "token add NAME > FILE", and bring that file here.`,
    );
  const other = second ?? (IS_TOKEN.test(first.text) ? undefined : first);
  if (other === undefined) return first.text;
  throw new Error(
    `${path} must hold one token in a line of its own, and line ${other.number} is something else. Take it out, or begin it ` +
      'with # to make it a comment.',
  );
}
