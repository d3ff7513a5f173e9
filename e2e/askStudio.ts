// Asks a studio over HTTP, as a program of its owner does.

/** Where a studio answers, and its token. */
export interface Place {
  readonly origin: string;
  readonly token: string;
}

export async function send(studio: Place, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(studio.origin + path, {
    ...init,
    headers: { authorization: `Bearer ${studio.token}`, ...init.headers },
  });
}

function toInit(body: object | undefined): RequestInit {
  if (body === undefined) return {};
  if (body instanceof FormData) return { method: 'POST', body };
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** The text of an answer; throws for a status that is no success. With a body it is a POST. */
export async function askText(studio: Place, path: string, body?: object): Promise<string> {
  const response = await send(studio, path, toInit(body));
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

/** The same for an answer in JSON. */
export const ask = async <Answer>(studio: Place, path: string, body?: object): Promise<Answer> =>
  JSON.parse(await askText(studio, path, body)) as Answer;
