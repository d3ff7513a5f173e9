// The service as plain JavaScript, all in one folder: tsx takes 0.3 s of processor time in each process and each thread that it
// reads TypeScript for, and the service's modules take a second.
import { readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { PROJECT_ROOT } from './projectRoot.ts';

const SOURCES = join(PROJECT_ROOT, 'src');
const BINDING = join(PROJECT_ROOT, 'node_modules', 'node-llama-cpp');

/** Code that runs in a thread or process of its own (service/threads), and the command of the built-in trainer. */
export const ENTRIES = /new URL\('\.\/(\w+Entry|trainerStart)\.(?:ts|mjs)', import\.meta\.url\)/g;
/** What is made beside the code (service/database/disk/emptyDatabase.ts). */
const MADE = /new URL\('\.\/(\w+\.tar\.gz)', import\.meta\.url\)/g;

/** Their names, and the TypeScript of each. */
function findEntries(): Record<string, string> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('Entry.ts'));
  const isolated = files.map((file) => [basename(file, '.ts'), join(SOURCES, file)] as const);
  return { ...Object.fromEntries(isolated), trainerStart: join(SOURCES, 'trainer', 'main.ts') };
}

interface ServiceBundle {
  readonly outDir: string;
  readonly logLevel: 'silent' | 'warn';
  readonly plugins: readonly Plugin[];
  /** Entries beside `main` and what runs isolated. */
  readonly input: Readonly<Record<string, string>>;
  readonly isExternal: (id: string) => boolean;
  readonly entryFileNames: string | ((entry: { readonly name: string }) => string);
  /** Whether the bundler may warn of slow plugins. */
  readonly hasTimings: boolean;
}

/** What runs apart, and what is made, is a file of its own beside the rest. */
const startEntries = (): Plugin => ({
  name: 'isolated',
  enforce: 'pre',
  transform: (code, id) =>
    id.startsWith(SOURCES) && (code.search(ENTRIES) !== -1 || code.search(MADE) !== -1)
      ? {
          code: code
            .replaceAll(ENTRIES, 'new URL("./$1.mjs", import.meta["url"])')
            .replaceAll(MADE, 'new URL("./$1", import.meta["url"])'),
          map: null,
        }
      : null,
});

/** Writes the service as plain JavaScript to `outDir`, all in one folder. */
export async function bundleService(bundle: ServiceBundle): Promise<void> {
  const { outDir, logLevel, plugins, input, isExternal, entryFileNames, hasTimings } = bundle;
  await build({
    root: PROJECT_ROOT,
    configFile: false,
    logLevel,
    publicDir: false,
    plugins: [startEntries(), ...plugins],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      outDir,
      rolldownOptions: {
        input: { main: join(SOURCES, 'app', 'server', 'launch', 'main.ts'), ...findEntries(), ...input },
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
      if (!(path.startsWith(SOURCES) || path.startsWith(BINDING)) || !code.includes('import.meta.url')) return null;
      return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), map: null };
    },
  };
}

/**
 * The packages are read from node_modules, but those that are quicker to read as one file: zod, small ones, and llama.cpp's
 * binding, which has hundreds of modules.
 */
const OUTSIDE = /^(@electric-sql|@node-llama-cpp|@reflink|drizzle-orm|pg|pg-native|sql\.js|tsx|vite|electron)(\/|$)/;

/** Writes the service of this checkout to a folder in it: it reads the sample, the migrations and scripts of the checkout. */
export const bundleHere = (
  outDir: string,
  { plugins = [], input = {} }: Partial<Pick<ServiceBundle, 'plugins' | 'input'>> = {},
): Promise<void> =>
  bundleService({
    outDir,
    logLevel: 'silent',
    plugins: [...plugins, keepPlaces()],
    input,
    isExternal: (id) => isBuiltin(id) || OUTSIDE.test(id),
    entryFileNames: '[name].mjs',
    hasTimings: false,
  });
