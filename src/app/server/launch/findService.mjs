// Finds the service of a checkout as plain JavaScript, and has it built when its sources have changed. Plain JavaScript, for it
// comes before everything else.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const IS_CODE = /(?<!\.test|\.fixture)\.(?:ts|json|sql)$/;
/** Code of the page alone. */
const OF_THE_PAGE = /^ui[\\/]|[\\/]web[\\/]/;

/** Commands read the sources where nothing is built yet: they are over before it would be. */
const IS_SHORT = /^(?:[^-]|--help$|--version$)/;

/** Files are read into the same memory, for the process that does it stays. */
const room = Buffer.alloc(2 ** 16);

function addFile(hash, path) {
  const file = openSync(path);
  for (let length = readSync(file, room); length > 0; length = readSync(file, room))
    hash.update(room.subarray(0, length));
  closeSync(file);
}

/** Another one for each state of the code and the packages, and for each place: what is built names files of its checkout. */
export function toFolder(root = ROOT) {
  const hash = createHash('sha256').update(root);
  addFile(hash, join(root, 'package-lock.json'));
  for (const file of readdirSync(join(root, 'src'), { recursive: true }).sort()) {
    if (!IS_CODE.test(file) || OF_THE_PAGE.test(file)) continue;
    hash.update(`\0${file}\0`);
    addFile(hash, join(root, 'src', file));
  }
  return join(root, 'node_modules', '.cache', `model-studio-service-${hash.digest('hex').slice(0, 16)}`);
}

/** What Node runs for the service: built, or its TypeScript, which is slower, where it can't be built. */
export function findService(args) {
  const folder = toFolder();
  const built = join(folder, 'main.mjs');
  const sources = ['--import', import.meta.resolve('tsx')];
  if (!existsSync(built) && !IS_SHORT.test(args[0] ?? '--'))
    spawnSync(
      process.execPath,
      [...sources, fileURLToPath(new URL('./buildService.ts', import.meta.url)), folder, ...args],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
  if (!existsSync(built)) return [...sources, fileURLToPath(new URL('./main.ts', import.meta.url))];
  try {
    // Those that nobody has started for long are removed.
    utimesSync(folder, new Date(), new Date());
  } catch {
    // The checkout can't be written to.
  }
  return [built];
}
