// The browsable API reference: swagger-ui from its package, drawn from /api/v1/openapi.json.
// Its own start script and colours are public/reference.js and public/reference.css.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { OPENAPI_PATH, REFERENCE_PATH } from '#core/contract/sessionInfo.ts';
import { toEtag } from '#service/http/etag.ts';
import type { Route } from '#service/http/route.ts';
import { toPolicy } from '#service/http/securityHeaders.ts';
import { sendStatic, typeOf, type StaticFile } from '#service/http/staticFiles.ts';

const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>API reference · Model Studio</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${REFERENCE_PATH}/swagger-ui.css" />
    <link rel="stylesheet" href="/reference.css" />
    <script src="/theme.js"></script>
    <script src="${REFERENCE_PATH}/swagger-ui-bundle.js" defer></script>
    <script src="/reference.js" defer></script>
  </head>
  <body>
    <header class="bar"><a href="/">Model Studio</a><h1>API reference</h1></header>
    <main id="reference"><p class="notice">Loading the reference…</p></main>
    <noscript>
      <p class="notice">The reference needs JavaScript. The document itself is at ${OPENAPI_PATH}.</p>
    </noscript>
  </body>
</html>
`;

function readAsset(name: string): StaticFile {
  const body = readFileSync(createRequire(import.meta.url).resolve(ASSETS[name] ?? ''));
  return { type: typeOf(name), body, encoded: { gzip: gzipSync(body) }, etag: `W/${toEtag(body)}`, isImmutable: false };
}

/** The page and its assets. They hold no secret; the document and every call from the page need the token. */
export function toReferenceRoutes(): readonly Route[] {
  const loaded = new Map<string, StaticFile>();
  const load = (name: string): StaticFile => {
    const file = loaded.get(name) ?? readAsset(name);
    loaded.set(name, file);
    return file;
  };
  const page: Route = {
    method: 'GET',
    path: REFERENCE_PATH,
    isOpen: true,
    handle: () =>
      new Response(PAGE, {
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Cache-Control': 'no-cache',
          'Content-Security-Policy': toPolicy(),
        },
      }),
  };
  const assets = Object.keys(ASSETS).map((name): Route => ({
    method: 'GET',
    path: `${REFERENCE_PATH}/${name}`,
    isOpen: true,
    handle: (context) => sendStatic(load(name), context),
  }));
  return [page, ...assets];
}
