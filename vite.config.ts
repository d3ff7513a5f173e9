import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

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
  test: { include: ['src/**/*.test.ts', 'e2e/**/*.test.ts'], environment: 'node', testTimeout: 30_000 },
});
