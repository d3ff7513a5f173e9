// The service as plain JavaScript, for tests: tsx takes 0.3 s of processor time in each process and each thread that it
// reads TypeScript for, and the service's modules take 2 s.
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { findMade } from '#server/studio/made.fixture.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SERVER = join(ROOT, 'src', 'server');
const LAUNCH = join(SERVER, 'service', 'launch');
const BINDING = join(ROOT, 'node_modules', 'node-llama-cpp');
/**
 * Before it loads llama.cpp, the binding starts a process that tries to. Tests would pay 0.9 s of processor time for each
 * process of theirs: only `process.test.ts` and `package.test.ts` do, which start the sources and the package.
 */
const PROBE = join(BINDING, 'dist', 'bindings', 'utils', 'testBindingBinary.js');
const PROBE_START =
  'export async function testBindingBinary(bindingBinaryPath, extBackendsPath, gpu, testTimeout = 1000 * 60 * 5, ' +
  'pipeOutputOnNode = false) {';

/** Code that runs in a thread or process of its own (server/apart), and the command of the built-in trainer. */
const APART = /new URL\('\.\/(\w+Apart|trainerStart)\.(?:ts|mjs)', import\.meta\.url\)/g;

/** Their names, and the TypeScript of each. */
function findApart(): Record<string, string> {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('Apart.ts'));
  const apart = files.map((file) => [basename(file, '.ts'), join(SERVER, file)] as const);
  return { ...Object.fromEntries(apart), trainerStart: join(SERVER, 'nano', 'main.ts') };
}

interface ServiceBundle {
  readonly outDir: string;
  readonly logLevel: 'silent' | 'warn';
  readonly plugin: Plugin;
  /** Entries beside `main` and what runs apart. */
  readonly input: Readonly<Record<string, string>>;
  readonly isExternal: (id: string) => boolean;
  readonly entryFileNames: string | ((entry: { readonly name: string }) => string);
  /** Whether the bundler may warn of slow plugins. */
  readonly hasTimings: boolean;
}

/** What runs apart is a file of its own beside the rest. */
const startApart = (): Plugin => ({
  name: 'apart',
  enforce: 'pre',
  transform: (code, id) =>
    id.startsWith(SERVER) && code.search(APART) !== -1
      ? { code: code.replaceAll(APART, 'new URL("./$1.mjs", import.meta["url"])'), map: null }
      : null,
});

/** Writes the service as plain JavaScript to `outDir`, all in one folder. */
export async function bundleService(bundle: ServiceBundle): Promise<void> {
  const { outDir, logLevel, plugin, input, isExternal, entryFileNames, hasTimings } = bundle;
  await build({
    root: ROOT,
    configFile: false,
    logLevel,
    publicDir: false,
    plugins: [startApart(), plugin],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      outDir,
      rolldownOptions: {
        input: { main: join(LAUNCH, 'main.ts'), ...findApart(), ...input },
        external: isExternal,
        checks: { pluginTimings: hasTimings },
        output: { format: 'es', entryFileNames, chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
}

/** Files are found beside the sources, and what is built beside what is built. */
function keepPlaces(): Plugin {
  return {
    name: 'places-of-the-sources',
    // Before the bundler changes the quotes that are searched for.
    enforce: 'pre',
    transform(code, id) {
      const [path = ''] = id.split('?');
      if (path.startsWith(BINDING)) {
        if (path === PROBE && !code.includes(PROBE_START))
          throw new Error(`${PROBE} has changed. Find what it exports.`);
        const unprobed = path === PROBE ? code.replace(PROBE_START, `${PROBE_START} return true;`) : code;
        return { code: unprobed.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), map: null };
      }
      if (!path.startsWith(SERVER) || !code.includes('import.meta.url')) return null;
      return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), map: null };
    },
  };
}

/**
 * The packages are read from node_modules, but those that are quicker to read as one file: zod, small ones, and llama.cpp's
 * binding, which has hundreds of modules.
 */
const OUTSIDE = /^(@electric-sql|@node-llama-cpp|@reflink|drizzle-orm|pg|pg-native|sql\.js|tsx|vite|electron)(\/|$)/;

/** What is built names the files of this checkout: a copy of it, node_modules included, builds its own. */
const PLACE = createHash('sha256').update(ROOT).digest('hex').slice(0, 8);

/** What `npm start` runs, beside the code that it starts: there it starts that, as in an installed package. */
const STARTERS = ['launch.mjs', 'forwardShutdown.mjs'];

/** A folder with `main.mjs` and what runs apart, where `npm start` works. */
export const findBuiltService = (): Promise<string> =>
  findMade(`service-${PLACE}`, ['src/server', 'src/shared', 'e2e/builtService.ts'], async (folder) => {
    await bundleService({
      outDir: folder,
      logLevel: 'silent',
      plugin: keepPlaces(),
      input: {
        openStudio: join(SERVER, 'studio', 'openStudio.ts'),
        binding: join(BINDING, 'dist', 'index.js'),
      },
      isExternal: (id) => isBuiltin(id) || OUTSIDE.test(id),
      entryFileNames: '[name].mjs',
      hasTimings: false,
    });
    for (const name of STARTERS) copyFileSync(join(LAUNCH, name), join(folder, name));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node launch.mjs' } }));
  });

/** What tests start in a process of their own: by its place among the sources, the name of what is built. */
const IN_PROCESSES = new Map([
  [join(LAUNCH, 'main.ts'), 'main'],
  [join(SERVER, 'studio', 'openStudio.ts'), 'openStudio'],
]);
const IN_TEST = /new URL\('(\.\/\w+\.ts)', import\.meta\.url\)/g;

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
      const pattern = isTest ? IN_TEST : APART;
      if (!id.startsWith(SERVER) || code.search(pattern) === -1) return null;
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
