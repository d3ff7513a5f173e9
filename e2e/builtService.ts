// The service as plain JavaScript, for tests: made once for each state of the code.
import { createHash } from 'node:crypto';
import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { ENTRIES, bundleHere } from '#app/server/launch/serviceBundle.ts';
import { findMade } from '#service/database/made.fixture.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'src');
const LAUNCH = join(SOURCES, 'app', 'server', 'launch');
const BINDING = join(ROOT, 'node_modules', 'node-llama-cpp');
/**
 * Before it loads llama.cpp, the binding starts a process that tries to. Tests would pay 0.9 s of processor time for each
 * process of theirs: only `process.test.ts` and `package.test.ts` do, which start the checkout and the package.
 */
const PROBE = join(BINDING, 'dist', 'bindings', 'utils', 'testBindingBinary.js');
const PROBE_START =
  'export async function testBindingBinary(bindingBinaryPath, extBackendsPath, gpu, testTimeout = 1000 * 60 * 5, ' +
  'pipeOutputOnNode = false) {';

/** The binding as tests take it. */
const skipProbe = (): Plugin => ({
  name: 'no-probe',
  enforce: 'pre',
  transform(code, id) {
    if (id.split('?')[0] !== PROBE) return null;
    if (!code.includes(PROBE_START)) throw new Error(`${PROBE} has changed. Find what it exports.`);
    return { code: code.replace(PROBE_START, `${PROBE_START} return true;`), map: null };
  },
});

/** What is built names the files of this checkout: a copy of it, node_modules included, builds its own. */
const PLACE = createHash('sha256').update(ROOT).digest('hex').slice(0, 8);

/** What `npm start` runs, beside the code that it starts: there it starts that, as in an installed package. */
const STARTERS = ['launch.mjs', 'forwardShutdown.mjs'];

/** A folder with `main.mjs` and what runs apart, where `npm start` works. */
export const findBuiltService = (): Promise<string> =>
  findMade(`service-${PLACE}`, ['src', 'e2e/builtService.ts'], async (folder) => {
    await bundleHere(folder, {
      plugins: [skipProbe()],
      input: {
        openStudio: join(SOURCES, 'app', 'server', 'openStudio.ts'),
        binding: join(BINDING, 'dist', 'index.js'),
      },
    });
    for (const name of STARTERS) copyFileSync(join(LAUNCH, name), join(folder, name));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node launch.mjs' } }));
  });

/** What tests start in a process of their own: by its place among the sources, the name of what is built. */
const IN_PROCESSES = new Map([
  [join(LAUNCH, 'main.ts'), 'main'],
  [join(SOURCES, 'app', 'server', 'openStudio.ts'), 'openStudio'],
]);
const IN_TEST = /new URL\('(\.[\w./-]*\/\w+\.ts)', import\.meta\.url\)/g;

/** For vitest: threads and processes of the service start from what is built, and llama.cpp's binding is that of it. */
export function startBuilt(): Plugin {
  return {
    name: 'built-starts',
    enforce: 'pre',
    async resolveId(id) {
      return id === 'node-llama-cpp' ? join(await findBuiltService(), 'binding.mjs') : null;
    },
    async transform(code, id) {
      const isTest = id.endsWith('.test.ts');
      const pattern = isTest ? IN_TEST : ENTRIES;
      if (!id.startsWith(SOURCES) || code.search(pattern) === -1) return null;
      const folder = await findBuiltService();
      return {
        code: code.replaceAll(pattern, (written: string, found: string) => {
          const name = isTest ? IN_PROCESSES.get(join(dirname(id), found)) : found;
          return name === undefined
            ? written
            : `new URL(${JSON.stringify(pathToFileURL(join(folder, `${name}.mjs`)).href)})`;
        }),
        map: null,
      };
    },
  };
}
