// Server-sent events as text (SPEC 6; form: WHATWG HTML, section 9.2.6).

/** The end of a stream. ASSUMED: OpenAI's marker; SPEC 6 does not show one. */
export const DONE = 'data: [DONE]\n\n';

const LINE_END = /\r\n|\r|\n/;

/** An event without a name. Each line of `data` becomes a `data:` line, because the format can't escape line ends. */
export function encodeData(data: string): string {
  if (!LINE_END.test(data)) return `data: ${data}\n\n`;
  return `${data
    .split(LINE_END)
    .map((line) => `data: ${line}`)
    .join('\n')}\n\n`;
}

/** An event with an optional name. A name can't hold line ends: they become spaces. */
export function encodeEvent(event: { readonly event?: string | null; readonly data: string }): string {
  const name = (event.event ?? '').split(LINE_END).join(' ');
  return name === '' ? encodeData(event.data) : `event: ${name}\n${encodeData(event.data)}`;
}

/** A comment, which readers skip: a heartbeat that keeps proxies from closing a quiet stream. */
export function encodeComment(text: string): string {
  return `: ${text.split(LINE_END).join(' ')}\n\n`;
}
