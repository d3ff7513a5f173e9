// Fills `lib/` with the service as plain JavaScript and `dist/` with the dashboard: what `npm pack` puts into the tarball.
// All of lib is in one folder, so that `new URL('./name', import.meta.url)` finds what it found among the sources.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';
import { ensureBuilt } from '#app/server/launch/build.ts';
import { bundleService } from '#app/server/launch/serviceBundle.ts';
import { EMPTY_DATABASE } from '#service/database/disk/emptyDatabase.ts';
import { makeEmptyDatabase } from '#service/database/openEmbedded.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'src');
/** Folders that the code reads beside itself. */
const READ = ['service/database/migrations', 'features/projects/server/sample'];

/**
 * llama.cpp's binding is taken into lib: as a dependency it would bring its binaries for graphics cards, 600 MB, which only
 * the person's own package.json could leave out.
 */
const BINDING = join(ROOT, 'node_modules', 'node-llama-cpp');
/** Where the binding's own files are in lib: it reads some by their place. */
const BINDING_PLACE = 'llama';
/** The binding starts this file as a process, to see whether a binary can be loaded. */
const BINDING_PROBE = 'dist/bindings/utils/testBindingBinary.js';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const toSlashes = (path: string): string => path.split(sep).join('/');

/** Plain JavaScript and Python that is run as it is: no start of a TypeScript file, and no part of a test. */
function findScripts(): readonly string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.(mjs|py)$/.test(file) && !file.endsWith('Start.mjs') && !file.includes('.fixture.'))
    .map((file) => join(SOURCES, file));
}

/** Modules of the binding keep the places that they had in their package. */
function keepPlaces(): Plugin {
  return {
    name: 'places-of-the-binding',
    transform(code, id) {
      const [path = ''] = id.split('?');
      const place = toSlashes(relative(BINDING, path));
      if (place.startsWith('..') || !code.includes('import.meta.url')) return null;
      const moved = `new URL("./${BINDING_PLACE}/${place}", import.meta.url).href`;
      return { code: code.replaceAll('import.meta.url', moved), map: null };
    },
  };
}

/** The name of the package that a specifier begins with. */
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Everything is taken into lib but Node, the dependencies, and what only other ways of starting load. */
function toExternalCheck({ dependencies, optionalDependencies }: Manifest): (id: string) => boolean {
  const outside = new Set([
    ...Object.keys(dependencies),
    ...Object.keys(optionalDependencies),
    'vite',
    'electron',
    'pg-native',
    '@reflink/reflink',
  ]);
  return (id) => {
    if (isBuiltin(id)) return true;
    if (/^[./#\0]|^[A-Za-z]:/.test(id)) return false;
    const name = packageOf(id);
    return outside.has(name) || name.startsWith('@node-llama-cpp/');
  };
}

/** Writes `lib` below `folder`. */
async function buildService(folder: string): Promise<void> {
  const lib = join(folder, 'lib');
  rmSync(lib, { recursive: true, force: true });
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  await bundleService({
    outDir: lib,
    logLevel: 'warn',
    plugins: [keepPlaces()],
    input: { [`${BINDING_PLACE}/${BINDING_PROBE.replace(/\.js$/, '')}`]: join(BINDING, BINDING_PROBE) },
    isExternal: toExternalCheck(manifest),
    entryFileNames: ({ name }) => (name.startsWith(BINDING_PLACE) ? '[name].js' : '[name].mjs'),
    hasTimings: true,
  });
  writeFileSync(join(lib, EMPTY_DATABASE), await makeEmptyDatabase());
  for (const path of findScripts()) cpSync(path, join(lib, basename(path)));
  for (const part of READ) cpSync(join(SOURCES, part), join(lib, basename(part)), { recursive: true });
  mkdirSync(join(lib, BINDING_PLACE, 'llama'), { recursive: true });
  for (const file of ['package.json', 'LICENSE', 'llama/binariesGithubRelease.json', 'llama/llama.cpp.info.json'])
    cpSync(join(BINDING, file), join(lib, BINDING_PLACE, file));
}

await ensureBuilt({ root: ROOT, signal: new AbortController().signal });
await buildService(ROOT);
