// The outermost guard, before any routing: headers on every answer, then the Host allow-list.
// It works on Node's own request and response, so that no request gets around it, not even one with a refused URL.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { toErrorEnvelope } from '#core/contract/errors.ts';
import { SECURITY_HEADERS, toPolicy } from './securityHeaders.ts';

export interface Perimeter {
  readonly isHostAllowed: (header: string | undefined) => boolean;
  readonly random: (bytes: number) => string;
}

function refuse(outgoing: ServerResponse, status: number, message: string, code: string): false {
  outgoing.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Connection: 'close' });
  outgoing.end(JSON.stringify(toErrorEnvelope(status, message, { code })));
  return false;
}

const countHosts = (incoming: IncomingMessage): number =>
  incoming.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;

/** Sets the headers that every answer carries. True when the request may go on; otherwise it has been answered. */
export function admit(perimeter: Perimeter, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) outgoing.setHeader(name, value);
  outgoing.setHeader('Content-Security-Policy', toPolicy());
  outgoing.setHeader('X-Request-Id', perimeter.random(12));
  if (countHosts(incoming) > 1 || !perimeter.isHostAllowed(incoming.headers.host)) {
    return refuse(
      outgoing,
      403,
      'This host name is not served here. Open the studio by the address that it printed at start, ' +
        'or start it with --public-url and the address you use.',
      'host_not_allowed',
    );
  }
  if (!incoming.url?.startsWith('/'))
    return refuse(outgoing, 400, 'The request target must be a path.', 'bad_request_target');
  return true;
}

export function requestId(outgoing: ServerResponse): string {
  return String(outgoing.getHeader('X-Request-Id') ?? '');
}

type ClientError = readonly [status: number, phrase: string, words: string];

const bad = (words: string): ClientError => [400, 'Bad Request', words];

const BODY_END =
  'where the body ends: send one Content-Length with its size in bytes, or "Transfer-Encoding: chunked", not both.';

/** What happened and what to do, by the code of Node's error. */
const CLIENT_ERRORS: Readonly<Record<string, ClientError>> = {
  HPE_INVALID_EOF_STATE: bad('The connection ended before the whole request had arrived. Send it again.'),
  HPE_INVALID_METHOD: bad(
    'The request does not begin with an HTTP method, such as GET or POST. If this was HTTPS, use the address with http://.',
  ),
  HPE_INVALID_CONTENT_LENGTH: bad(`The Content-Length is not a number. Say ${BODY_END}`),
  HPE_UNEXPECTED_CONTENT_LENGTH: bad(`The request has more than one length. Say once ${BODY_END}`),
  HPE_INVALID_TRANSFER_ENCODING: bad(`The Transfer-Encoding and the Content-Length do not agree. Say once ${BODY_END}`),
  HPE_INVALID_CHUNK_SIZE: bad('A chunk of the body does not begin with its size in hexadecimal digits. Correct it.'),
  HPE_INVALID_HEADER_TOKEN: bad('A header has a character that headers can not have. Remove or encode it.'),
  HPE_INVALID_URL: bad('The path of the request has a character that must be percent-encoded. Encode it.'),
  HPE_INVALID_VERSION: bad('The version of HTTP is not known here. Use HTTP/1.1.'),
  HPE_PAUSED_H2_UPGRADE: bad('HTTP/2 is not served here. Use HTTP/1.1.'),
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The address and headers of the request are larger than 64 KiB. Shorten the address, or remove cookies.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The headers did not arrive in time. Send the request again.'],
};

const toClientError = ({ code = '' }: NodeJS.ErrnoException): ClientError =>
  CLIENT_ERRORS[code] ??
  bad(`The request can not be read as HTTP/1.1${code === '' ? '' : ` (${code})`}. Correct the program that sends it.`);

/** Answers bytes that are not HTTP, with the same headers as everything else. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, reason, words] = toClientError(error);
  const body = JSON.stringify(toErrorEnvelope(status, words, { code: 'bad_http' }));
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Security-Policy': toPolicy(),
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return void socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
}
