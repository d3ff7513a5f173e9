// The header of a shell command with the token. The token itself is never in the command, only a shell variable.

/** As in the README: STUDIO_TOKEN is this service's token, STUDIO_API_KEY the key of the remote studio behind it. */
export function toTokenHeader(isRemote: boolean): string {
  const unset = isRemote
    ? 'STUDIO_API_KEY:?set it to the key of the remote studio'
    : 'STUDIO_TOKEN:?set it to the token of the studio';
  return `-H "Authorization: Bearer \${${unset}}"`;
}
