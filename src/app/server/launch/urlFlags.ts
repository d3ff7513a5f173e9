// Addresses of flags and variables, and what is said of those that can't be used: never what may hold a key. Pure.
import { isLoopback, toHostname } from '#service/http/allowedHosts.ts';

export class FlagProblem extends Error {}

/** A value, and the name of its flag or variable for messages. */
export interface Setting {
  readonly name: string;
  readonly value: string;
}

/** Throws FlagProblem: a setting must be `what`. */
export const refuse = ({ name, value }: Setting, what: string): never => {
  throw new FlagProblem(`${name} must be ${what}, not "${value}".`);
};

/** Where the key of a server goes: no address holds one. */
const KEY_PLACES: Readonly<Record<string, string>> = {
  '--base-url': 'STUDIO_API_KEY',
  STUDIO_BASE_URL: 'STUDIO_API_KEY',
  '--engine': 'STUDIO_ENGINE_KEY',
  STUDIO_ENGINE_URL: 'STUDIO_ENGINE_KEY',
  '--evaluator': 'STUDIO_EVALUATOR_TOKEN',
  '--studio': 'the file of --token-file',
};

/** null: it is no http(s) URL. Throws FlagProblem if it holds credentials, which no request would send. */
function parseUrl({ name, value }: Setting): URL | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (/^[^/]*\/\/[^/?#]*@/.test(value) || url?.username || url?.password) {
    const place = KEY_PLACES[name];
    throw new FlagProblem(
      `${name} must not hold a name or password${place === undefined ? '' : `: the key goes into ${place}`}.`,
    );
  }
  return url && /^https?:$/.test(url.protocol) && toHostname(url.host) !== null ? url : null;
}

/** An http(s) URL without credentials, query or fragment. `form`: what it must be, for messages. */
export function toUrl(setting: Setting, form: string): URL {
  const { name, value } = setting;
  const url = parseUrl(setting);
  const shown = { name, value: value.replace(/[?#].*$/s, '…') };
  if (!url) return refuse(shown, form);
  return url.search || url.hash ? refuse(shown, `${form}, without a query or a fragment`) : url;
}

/** The address of a server, which may have a path. */
export const toServerUrl = (setting: Setting): URL => toUrl(setting, 'a URL that begins with http:// or https://');

/**
 * The address of a chat's webhook is a key itself, so only its origin is shown. It hears what runs are called and how good they
 * are, so nobody on the way may.
 */
export function toWebhookUrl(setting: Setting): string {
  const url = parseUrl(setting);
  if (url !== null && (url.protocol === 'https:' || isLoopback(url.hostname))) return url.href;
  throw new FlagProblem(
    `${setting.name} must be a URL that begins with https://, or http:// to this machine` +
      `${url === null ? '' : `, not one of ${url.origin}`}.`,
  );
}

const MIN_KEY_BYTES = 16;
const PREFIX = 'whsec_';

/** `whsec_` and Base64, as in Standard Webhooks, or any text that is long enough; null: nothing is signed. */
export function toSigningKey(secret: string | undefined): Buffer | null {
  if (!secret) return null;
  const coded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : null;
  const key = coded === null ? Buffer.from(secret) : Buffer.from(coded, 'base64');
  if (key.length >= MIN_KEY_BYTES && (coded === null || /^[A-Za-z0-9+/]+={0,2}$/.test(coded))) return key;
  throw new FlagProblem(
    `STUDIO_WEBHOOK_SECRET must be ${PREFIX} and Base64 of at least ${MIN_KEY_BYTES} bytes, or another text as long: ` +
      `put ${PREFIX} before what "openssl rand -base64 32" prints.`,
  );
}
