import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const RECOMMENDATIONS = 'src/features/experiments/web/recommendations';
const PLAYGROUND = 'src/features/playground/web';

/** A file of the build, with all that these sources import. */
function toGroup(name: string, ...sources: string[]) {
  const paths = new Set(sources.map((source) => resolve(import.meta.dirname, source)));
  for (const path of paths) if (!existsSync(path)) throw new Error(`vite.config.ts names ${path}, which is not there.`);
  return { name, test: (id: string) => paths.has(id) };
}

/** Chromium compiles the functions of such a file beside the page; else it stops the page for each that is called. */
const compileAtOnce: Plugin = {
  name: 'compile-at-once',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, files) {
      for (const file of Object.values(files))
        if (file.type === 'chunk' && file.isEntry) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
    },
  },
};

// The nonce is a placeholder: the service puts a fresh one in each page it sends (src/service/http/page.ts).
export default defineConfig({
  plugins: [react(), tailwindcss(), compileAtOnce],
  // The tree is only read, and windows its rows itself: what react-arborist would load for that is left out.
  resolve: {
    alias: {
      'react-dnd-html5-backend': resolve(import.meta.dirname, 'src/features/projects/web/noDrag.ts'),
      'react-dnd': resolve(import.meta.dirname, 'src/features/projects/web/noDragHooks.ts'),
      'react-window': resolve(import.meta.dirname, 'src/features/projects/web/noWindow.ts'),
    },
  },
  html: { cspNonce: '__CSP_NONCE__' },
  // In one file a worker would have all that it may load, such as the megabyte of languages.
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    outDir: 'dist',
    assetsInlineLimit: 0,
    sourcemap: false,
    // The browsers that we build for preload modules themselves.
    modulePreload: { polyfill: false },
    // The first view is one file, and so is each part that is loaded after it (src/app/web/loadDeferredCode.ts): a file takes a
    // request, and is compressed alone. Without groups a start page asks for 35 files more, most of them below 1 KB.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            toGroup('first', 'index.html'),
            toGroup('later', 'src/app/web/deferredCode.ts'),
            toGroup('plot', `${RECOMMENDATIONS}/RecordPlot.tsx`),
            toGroup(
              'parameters',
              `${PLAYGROUND}/parameters/ParameterFields.tsx`,
              `${PLAYGROUND}/schemas/SchemaField.tsx`,
            ),
            toGroup('recommendations', `${RECOMMENDATIONS}/Recommendations.tsx`),
          ],
        },
      },
    },
  },
});
