// Makes what `npm start` runs, in the folder that it is given: the service as plain JavaScript, and an empty database, from which
// new ones are made. Meanwhile the dashboard, which the service would otherwise wait for.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EMPTY_DATABASE } from '#service/database/disk/emptyDatabase.ts';
import { makeEmptyDatabase } from '#service/database/openEmbedded.ts';
import { ensureBuilt } from './build.ts';
import { PROJECT_ROOT } from './projectRoot.ts';
import { bundleHere } from './serviceBundle.ts';

const OLD_MS = 30 * 24 * 3_600_000;

/** Removes what was made of other states of the code, and not started for long. */
function removeOld(folder: string): void {
  const kind = basename(folder).replace(/[^-]+$/, '');
  for (const name of readdirSync(dirname(folder)).filter((each) => each.startsWith(kind))) {
    const path = join(dirname(folder), name);
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > OLD_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

async function makeService(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    await bundleHere(draft);
    writeFileSync(join(draft, EMPTY_DATABASE), await makeEmptyDatabase());
    renameSync(draft, folder);
  } finally {
    // Where another start was quicker, too.
    rmSync(draft, { recursive: true, force: true });
  }
  removeOld(folder);
}

const [folder = '', ...args] = process.argv.slice(2);
process.stderr.write('Building the studio: some seconds, at the first start and after a change of its sources.\n');
const { signal } = new AbortController();
await Promise.allSettled([
  // The service says what is wrong with it.
  ...(args.includes('--dev') ? [] : [ensureBuilt({ root: PROJECT_ROOT, signal })]),
  makeService(folder).catch((error: unknown) => {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    process.stderr.write(
      `Warning: The service could not be built (${why}). It starts more slowly, from its sources.\n`,
    );
  }),
]);
