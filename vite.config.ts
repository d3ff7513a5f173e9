import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests of pure rooms: no store, no process, no fake clock that outlives a file. */
const PURE_TESTS = [
  'src/shared/**/*.test.ts',
  'src/web/{compare,differences,experiments,markdown,plots,recommendations,tree}/**/*.test.ts',
];

// The nonce is a placeholder: the service puts a fresh one in each page it sends (src/server/service/page.ts).
export default defineConfig({
  plugins: [react(), tailwindcss()],
  // The tree is only read, and windows its rows itself: what react-arborist would load for that is left out.
  resolve: {
    alias: {
      'react-dnd-html5-backend': resolve(import.meta.dirname, 'src/web/tree/noDrag.ts'),
      'react-dnd': resolve(import.meta.dirname, 'src/web/tree/noDragHooks.ts'),
      'react-window': resolve(import.meta.dirname, 'src/web/tree/noWindow.ts'),
    },
  },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    outDir: 'dist',
    assetsInlineLimit: 0,
    sourcemap: false,
    // The browsers that we build for preload modules themselves.
    modulePreload: { polyfill: false },
    // The first view is one file, and so is its plot: each file is compressed alone, so several would take 6 KB more.
    // A group takes along what its module imports.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', test: /\/index\.html$/ },
            { name: 'plot', test: /\/recommendations\/RecordPlot\.tsx$/ },
          ],
        },
      },
    },
  },
  test: {
    environment: 'node',
    testTimeout: 30_000,
    projects: [
      // Files without state of their own share one set of modules: half the time, since nothing is loaded twice.
      { extends: true, test: { name: 'pure', include: PURE_TESTS, isolate: false } },
      { extends: true, test: { name: 'own modules', include: ['{src,e2e}/**/*.test.ts'], exclude: PURE_TESTS } },
    ],
  },
});
