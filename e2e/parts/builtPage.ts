// A page of `openPart` as one script: its modules one by one, for each test anew, take a quarter more time.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { findBuiltCode, ROOT } from './builtCode.ts';
import type { mountPage as mountPlayground } from './playground.tsx';
import type { mountPage as mountStudio } from './studio.tsx';

/** The name that a script gives to what its module exports. */
const NAME = 'builtPage';

/** Where the code of a worker is, for PageWorker: seen from the project's folder. */
const workerPlaces = {
  name: 'places-of-workers',
  transform: (code: string, id: string) =>
    code.includes('import.meta.url')
      ? code.replaceAll('import.meta.url', JSON.stringify(`file://${id.slice(ROOT.length)}`))
      : null,
};

async function compile(name: string): Promise<Script> {
  const file = await findBuiltCode(`${name}.js`, {
    entry: join(import.meta.dirname, `${name}.tsx`),
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [workerPlaces],
    output: { format: 'iife', name: NAME, codeSplitting: false },
  });
  return new Script(`(() => {${await readFile(file, 'utf8')}\nreturn ${NAME};})()`, { filename: file });
}

interface Pages {
  readonly playground: { readonly mountPage: typeof mountPlayground };
  readonly studio: { readonly mountPage: typeof mountStudio };
}

/** Compiled once a worker, and run anew for each page. */
const scripts = new Map<string, Promise<Script>>();

/** Runs the code of a page, which is that of a module beside this one: nothing is left of what ran before. */
export async function runPage<Name extends keyof Pages>(name: Name): Promise<Pages[Name]> {
  const script = scripts.get(name) ?? compile(name);
  scripts.set(name, script);
  script.catch(() => scripts.delete(name));
  return (await script).runInThisContext() as Pages[Name];
}
