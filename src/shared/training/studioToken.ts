// The header that a shell command sends its token in. The token is never in the command: it stays a variable of the
// shell.

/**
 * As the README has it: STUDIO_TOKEN is this service's own token, STUDIO_API_KEY the key of the remote studio behind
 * it.
 */
export function toTokenHeader(isRemote: boolean): string {
  const unset = isRemote
    ? 'STUDIO_API_KEY:?set it to the key of the remote studio'
    : 'STUDIO_TOKEN:?set it to the token of the studio';
  return `-H "Authorization: Bearer \${${unset}}"`;
}
