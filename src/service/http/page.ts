// HTML pages: the dashboard with a fresh nonce in each answer, and a small notice for a person whose request failed.
import { toPolicy, type PolicyOptions } from './securityHeaders.ts';

/** The placeholder that vite.config.ts (html.cspNonce) writes where the nonce belongs. */
export const NONCE_MARK = '__CSP_NONCE__';

function sendPage(html: string, status: number, policy: PolicyOptions): Response {
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': toPolicy(policy),
    },
  });
}

export interface PageVisitor {
  readonly nonce: string;
  readonly isSignedIn: boolean;
}

/** What index.html shows of the studio before the page is drawn. */
const FRAME = /<!-- frame:[^]*<!-- \/frame -->/;

/**
 * `html` is the built index.html. A visitor who has to sign in gets no frame of the studio, by which the page knows it.
 * `more` loosens the policy for the development server only.
 */
export function sendIndex(
  html: string,
  { nonce, isSignedIn }: PageVisitor,
  more: Omit<PolicyOptions, 'nonce'> = {},
): Response {
  const shown = isSignedIn ? html : html.replace(FRAME, '');
  return sendPage(shown.replaceAll(NONCE_MARK, nonce), 200, { ...more, nonce });
}

/** A page for a person whose request failed. The texts are not escaped, so they must hold nothing from the request. */
export function sendNotice(status: number, title: string, text: string): Response {
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · Model Studio</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/notice.css" />
    <script src="/theme.js"></script>
  </head>
  <body>
    <main>
      <img src="/favicon.svg" alt="" width="28" height="28" />
      <h1>${title}</h1>
      <p>${text}</p>
      <p><a class="home" href="/">Open the studio</a> <a href="/reference">API reference</a></p>
    </main>
  </body>
</html>
`;
  return sendPage(html, status, {});
}
