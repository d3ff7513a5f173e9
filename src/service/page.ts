// HTML pages: the dashboard's own with a fresh nonce in each answer, and the small one for a path that is not there.
import { toPolicy, type PolicyOptions } from './securityHeaders';

/** What vite.config.ts (html.cspNonce) writes where a nonce belongs. */
export const NONCE_MARK = '__CSP_NONCE__';

function sendPage(html: string, status: number, policy: PolicyOptions): Response {
  return new Response(html, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', 'Content-Security-Policy': toPolicy(policy) },
  });
}

/** `html` is the built index.html. `more` loosens the policy for the development server only. */
export function sendIndex(html: string, nonce: string, more: Omit<PolicyOptions, 'nonce'> = {}): Response {
  return sendPage(html.replaceAll(NONCE_MARK, nonce), 200, { ...more, nonce });
}

const STYLE = `
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;margin:20vh auto;max-width:34rem;padding:0 1.5rem}
h1{font-size:1.25rem;margin:0 0 .5rem}
`;

/** A page for a person who followed a link to nowhere, or was held back. The texts are ours: nothing from the request. */
export function sendNotice(status: number, title: string, text: string, nonce: string): Response {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Model Studio</title><style nonce="${nonce}">${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p><p><a href="/">Open the studio</a></p></main></body></html>`;
  return sendPage(html, status, { nonce });
}
