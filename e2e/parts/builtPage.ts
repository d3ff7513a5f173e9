// The page of `openPart` as one script: its modules one by one, for each test anew, take a quarter more time.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { findBuiltCode, ROOT } from './builtCode.ts';
import type { mountPage } from './page.tsx';

/** The name that the script gives to what `page.tsx` exports. */
const NAME = 'builtPage';

/** Where the code of a worker is, for PageWorker: seen from the project's folder. */
const workerPlaces = {
  name: 'places-of-workers',
  transform: (code: string, id: string) =>
    code.includes('import.meta.url')
      ? code.replaceAll('import.meta.url', JSON.stringify(`file://${id.slice(ROOT.length)}`))
      : null,
};

async function compile(): Promise<Script> {
  const file = await findBuiltCode('page.js', {
    entry: join(import.meta.dirname, 'page.tsx'),
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [workerPlaces],
    output: { format: 'iife', name: NAME, codeSplitting: false },
  });
  return new Script(`(() => {${await readFile(file, 'utf8')}\nreturn ${NAME};})()`, { filename: file });
}

/** Compiled once a worker, and run anew for each page. */
let script: Promise<Script> | null = null;

interface PageCode {
  readonly mountPage: typeof mountPage;
}

/** Runs the code of the page: nothing is left of what ran before. */
export async function runPage(): Promise<PageCode> {
  script ??= compile().catch((error: unknown) => {
    script = null;
    throw error;
  });
  return (await script).runInThisContext() as PageCode;
}
