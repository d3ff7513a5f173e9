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
  // The tree is only read: what react-arborist would load to drag rows is left out.
  resolve: {
    alias: {
      'react-dnd-html5-backend': resolve(import.meta.dirname, 'src/web/tree/noDrag.ts'),
      'react-dnd': resolve(import.meta.dirname, 'src/web/tree/noDragHooks.ts'),
    },
  },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    outDir: 'dist',
    assetsInlineLimit: 0,
    sourcemap: false,
    // What nearly every part uses is one file: of a dozen tiny ones, each is compressed alone, and the first view grows
    // by 2 KB.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 10 }] } } },
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
