// Code of the page for tests of parts, built into one file.
import { join } from 'node:path';
import type { InlineConfig } from 'vite';
import { findMade } from '#service/database/made.fixture.ts';

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** What decides what the code is. */
const SOURCES = [
  'src',
  ...['playground.tsx', 'studio.tsx', 'builtPage.ts', 'builtCode.ts'].map((name) => `e2e/parts/${name}`),
];

interface BuiltCode extends Pick<InlineConfig, 'define' | 'plugins'> {
  /** The module to begin with. */
  readonly entry: string;
  readonly output: NonNullable<NonNullable<NonNullable<InlineConfig['build']>['rolldownOptions']>['output']>;
}

/** The path of a file of this name, made once for each state of the sources. */
export async function findBuiltCode(file: string, { entry, output, ...config }: BuiltCode): Promise<string> {
  const folder = await findMade(`${file}-part`, SOURCES, async (outDir) => {
    const { build } = await import('vite');
    await build({
      ...config,
      root: ROOT,
      configFile: false,
      logLevel: 'silent',
      publicDir: false,
      ssr: { noExternal: true },
      build: {
        ssr: entry,
        outDir,
        minify: false,
        rolldownOptions: { output: { ...output, entryFileNames: file } },
      },
    });
  });
  return join(folder, file);
}
