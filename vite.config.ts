import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vitest/config';

// The nonce is a placeholder: the service puts a fresh one in each page it sends (src/service/page.ts).
export default defineConfig({
  plugins: [react(), tailwindcss()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: { target: 'es2023', outDir: 'dist', assetsInlineLimit: 0, sourcemap: false },
  test: { include: ['src/**/*.test.ts', 'e2e/**/*.test.ts'], environment: 'node', testTimeout: 30_000 },
});
