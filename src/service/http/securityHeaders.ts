// The headers that every answer carries, errors and static files included.

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
};

export interface PolicyOptions {
  readonly nonce?: string;
  /** Only in development, where the bundler adds a script to the page. */
  readonly scripts?: boolean;
}

/** The Content-Security-Policy. No unsafe-inline, no unsafe-eval, nothing from other origins. */
export function toPolicy(options: PolicyOptions = {}): string {
  const nonce = options.nonce === undefined ? '' : ` 'nonce-${options.nonce}'`;
  return [
    "default-src 'none'",
    `script-src 'self'${options.scripts ? nonce : ''}`,
    `style-src 'self'${nonce}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}
