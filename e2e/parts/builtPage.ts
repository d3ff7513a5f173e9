// The page of `openPart` as one script: its modules one by one, for each test anew, take a quarter more time.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { findMade } from '#server/studio/made.fixture.ts';
import type { mountPage } from './page.tsx';

const ROOT = join(import.meta.dirname, '..', '..');
const ENTRY = join(import.meta.dirname, 'page.tsx');
const FILE = 'page.js';
/** What decides what the script is. */
const SOURCES = ['src/web', 'src/shared', 'e2e/parts/page.tsx', 'e2e/parts/builtPage.ts'];
/** The name that the script gives to what `page.tsx` exports. */
const NAME = 'builtPage';

async function makeScript(outDir: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    plugins: [
      {
        name: 'places-of-workers',
        // Where the code of a worker is, for PageWorker: seen from the project's folder.
        transform: (code, id) =>
          code.includes('import.meta.url')
            ? code.replaceAll('import.meta.url', JSON.stringify(`file://${id.slice(ROOT.length)}`))
            : null,
      },
    ],
    build: {
      ssr: ENTRY,
      outDir,
      minify: false,
      rolldownOptions: { output: { format: 'iife', name: NAME, codeSplitting: false, entryFileNames: FILE } },
    },
  });
}

/** Compiled once a worker, and run anew for each page. */
let script: Promise<Script> | null = null;

async function compile(): Promise<Script> {
  const folder = await findMade('page-part', SOURCES, makeScript);
  const file = join(folder, FILE);
  return new Script(`(() => {${await readFile(file, 'utf8')}\nreturn ${NAME};})()`, { filename: file });
}

interface PageCode {
  readonly mountPage: typeof mountPage;
}

/** Runs the code of the page: nothing is left of what ran before. */
export async function runPage(): Promise<PageCode> {
  script ??= compile();
  script.catch(() => {
    script = null;
  });
  return (await script).runInThisContext() as PageCode;
}
