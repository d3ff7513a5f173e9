import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

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
});
