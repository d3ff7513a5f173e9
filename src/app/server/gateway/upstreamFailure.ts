// Failures between this gateway and the remote studio, as messages that an operator can act on. Pure.
import { parseJson } from '#core/contract/readJson.ts';
import { readError } from '#core/contract/errors.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused. Check that it is running',
  ECONNRESET: 'it closed the connection before it answered. Check its log',
  EPIPE: 'it closed the connection before it answered. Check its log',
  ENOTFOUND: 'its host name is not known. Check --base-url and the network',
  EAI_AGAIN: 'its host name could not be looked up. Check the network',
  EHOSTUNREACH: 'there is no route to it. Check the network',
  ENETUNREACH: 'there is no route to it. Check the network',
  ETIMEDOUT: 'it did not answer in time. Check the network and its load',
  EPROTO: 'it does not speak TLS on that port. Check whether --base-url should begin with http://',
};

const isTls = (code: string): boolean =>
  /^(?:ERR_TLS_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_SSL_|HOSTNAME_MISMATCH)/.test(code);

function toReason(error: NodeJS.ErrnoException): string {
  const code = error.code ?? '';
  const known = REASONS[code];
  if (known) return known;
  if (isTls(code)) return `its certificate was not accepted (${code}). Check the certificate, or NODE_EXTRA_CA_CERTS`;
  if (code.startsWith('HPE_')) return 'it did not answer in HTTP. Check whether --base-url should begin with https://';
  return code === '' ? 'the connection failed' : `the connection failed (${code})`;
}

/** 502 for a remote that can't be reached. The message names `origin`, so that people notice a wrong address. */
export function toUnreachable(origin: string, error: NodeJS.ErrnoException): HttpProblem {
  return new HttpProblem(
    502,
    `The remote studio at ${origin} is not reachable: ${toReason(error)}. Nothing here needs a restart.`,
    { code: 'remote_unreachable' },
  );
}

export function toTimeout(origin: string, phase: string, ms: number): HttpProblem {
  return new HttpProblem(
    502,
    `The remote studio at ${origin} is not reachable: no ${phase} within ${Math.round(ms / 1000)} s. Check the ` +
      'network and its load.',
    { code: 'remote_timeout' },
  );
}

/** A change that was sent, and no answer came: `failure` says why. Clients must not send it again by themselves. */
export const toUnknownOutcome = (origin: string, failure: HttpProblem): HttpProblem =>
  new HttpProblem(
    502,
    `It is not known whether ${origin} made the change, because its answer did not arrive. Look there before you try ` +
      `again. ${failure.message}`,
    { code: 'remote_outcome_unknown', headers: { 'x-should-retry': 'false' } },
  );

export const toCut = (origin: string): HttpProblem =>
  new HttpProblem(
    502,
    `The remote studio at ${origin} closed the connection before its answer was complete. Try again.`,
    { code: 'remote_cut' },
  );

/** 502 for a remote that begins to answer and then sends nothing more. */
export const toSilent = (origin: string, ms: number): HttpProblem =>
  new HttpProblem(
    502,
    `The remote studio at ${origin} stopped in the middle of its answer: it sent nothing for ` +
      `${Math.round(ms / 1000)} s. Check its log and its load, then try again.`,
    { code: 'remote_silent' },
  );

function originOf(location: string | undefined, base: string): string {
  try {
    return new URL(location ?? '', base).origin;
  } catch {
    return 'an address that is not a URL';
  }
}

/**
 * Answers that must not be passed on: a redirect (the key must not follow it), and a refused key
 * (a 401 here would tell the dashboard that its own cookie is bad). Null: pass it on.
 */
export function toRefusal(origin: string, status: number, location: string | undefined): HttpProblem | null {
  if (status === 401) {
    return new HttpProblem(
      502,
      `The remote studio refused STUDIO_API_KEY (status 401). Start this gateway again with a key that ${origin} ` +
        'accepts.',
      { code: 'remote_refused_key' },
    );
  }
  if (status >= 300 && status < 400 && status !== 304) {
    return new HttpProblem(
      502,
      `The remote studio at ${origin} redirects to ${originOf(location, origin)}. The key is never sent to ` +
        'another address: start this gateway with the final one as --base-url.',
      { code: 'remote_redirect' },
    );
  }
  return null;
}

/**
 * A 403 in the remote's own words: it knows the key but does not allow this. `redact` removes the key twice: from the
 * text before it may be shortened, and from the parsed fields, where JSON escapes are gone.
 */
export function toForbidden(origin: string, text: string, redact: (text: string) => string): HttpProblem {
  const said = redact(text);
  const { message, code, param } = readError(
    parseJson(said, said),
    'it did not say why. Ask its operator what this key may do.',
  );
  const clean = (value: string | null): string | null => value && redact(value);
  return new HttpProblem(403, `The remote studio at ${origin} does not allow this: ${redact(message)}`, {
    code: clean(code) ?? 'remote_forbidden',
    param: clean(param),
  });
}
