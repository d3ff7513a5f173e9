import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests that leave nothing behind in the modules that they load, whatever comes after them. */
const SHARING = [
  'src/{shared,web}/**/*.test.ts',
  'src/server/{studio,service,service/gateway,engine/grammar,engine/upstream}/*.test.ts',
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
    // Hooks start processes, databases and models, which takes long on a busy machine.
    hookTimeout: 60_000,
    // The runner would leave one processor free; of two that is half of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      { extends: true, test: { name: 'own modules', include: ['{src,e2e}/**/*.test.ts'], exclude: SHARING } },
      // Most of a file's time would be the loading of its modules.
      { extends: true, test: { name: 'sharing', include: SHARING, isolate: false } },
    ],
  },
});
