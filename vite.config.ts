import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** What the start page loads by itself as soon as its first view stands. */
const SOON = [
  'app/web/(overlays/LateOverlay|SinceVisit|training/NextActions)',
  'runs/web/RootPath',
  'experiments/web/overview/(TrainNext|NothingLeft)',
  'playground/web/(AloneSwitch|ExampleChip|SettingsOffer|desk/settingsOffer|sessions/openModels)',
  'projects/web/treeChanges/visitTracker',
  'experiments/shared/rowFiles',
].map((part) => new RegExp(`/${part}\\.tsx?$`));

// The nonce is a placeholder: the service puts a fresh one in each page it sends (src/service/http/page.ts).
export default defineConfig({
  plugins: [react(), tailwindcss()],
  // The tree is only read, and windows its rows itself: what react-arborist would load for that is left out.
  resolve: {
    alias: {
      'react-dnd-html5-backend': resolve(import.meta.dirname, 'src/features/projects/web/noDrag.ts'),
      'react-dnd': resolve(import.meta.dirname, 'src/features/projects/web/noDragHooks.ts'),
      'react-window': resolve(import.meta.dirname, 'src/features/projects/web/noWindow.ts'),
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
    // The first view is one file, and so is each part that is loaded after it: a file takes a request, and is compressed
    // alone. Without groups a start page asks for 35 files more, most of them below 1 KB. A group takes along what its
    // modules import.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', test: /\/index\.html$/ },
            { name: 'plot', test: /\/recommendations\/RecordPlot\.tsx$/ },
            { name: 'soon', test: (id) => SOON.some((part) => part.test(id)) },
            { name: 'parameters', test: /\/(ParameterFields|SchemaField)\.tsx$/ },
            { name: 'recommendations', test: /\/recommendations\/Recommendations\.tsx$/ },
          ],
        },
      },
    },
  },
});
