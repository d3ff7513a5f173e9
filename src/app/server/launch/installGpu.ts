// `model-studio gpu`: puts llama.cpp's package for this machine's graphics card beside the one for processors. It is not in
// the lock file, where it would cost everybody 700 MB, and npm refuses to install what package.json leaves out.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Kinds of cards. `cuda`: NVIDIA's; `vulkan`: any. */
export const GPU_KINDS = ['cuda', 'vulkan'] as const;
export type GpuKind = (typeof GPU_KINDS)[number];

/** Parts of the names of the packages of a kind. */
const PACKAGES: Readonly<Record<GpuKind, readonly string[]>> = { cuda: ['cuda', 'cuda-ext'], vulkan: ['vulkan'] };
const SCOPE = '@node-llama-cpp';

interface Report {
  readonly lines: readonly string[];
  readonly exitCode: 0 | 1;
}

export interface GpuDeps {
  /** Such as `linux-x64`. */
  readonly system: string;
  /** The folder of llama.cpp's packages, and their version. */
  readonly place: { readonly folder: string; readonly version: string };
  readonly hasNvidia: () => boolean;
  /** Downloads packages, such as `@node-llama-cpp/linux-x64-vulkan@3.21.1`, to `node_modules` of a folder. */
  readonly download: (folder: string, packages: readonly string[]) => Promise<void>;
}

function download(folder: string, packages: readonly string[]): Promise<void> {
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];
  // npm is a script on Windows. All arguments are ours.
  const npm = spawn('npm', [...args, ...packages], { stdio: 'inherit', shell: process.platform === 'win32' });
  return new Promise((resolve, reject) => {
    npm.on('error', reject);
    npm.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`npm ended with the exit code ${code}`))));
  });
}

async function findPlace(system: string): Promise<GpuDeps['place']> {
  const name = `${SCOPE}/${system}`;
  const entry = createRequire(import.meta.url).resolve(name);
  const folder = entry.slice(0, entry.lastIndexOf(join(SCOPE, system)) + SCOPE.length);
  const { version } = JSON.parse(await readFile(join(folder, system, 'package.json'), 'utf8')) as { version: string };
  return { folder, version };
}

export async function readGpuDeps(): Promise<GpuDeps> {
  const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  return {
    system,
    place: await findPlace(system),
    hasNvidia: () => existsSync('/proc/driver/nvidia') || existsSync('C:\\Windows\\System32\\nvcuda.dll'),
    download,
  };
}

/** `kind` null: the one that fits. */
export async function installGpu(
  kind: GpuKind | null,
  readDeps: () => Promise<GpuDeps> = readGpuDeps,
): Promise<Report> {
  if (process.platform === 'darwin')
    return { lines: ['llama.cpp uses this Mac’s graphics card (Metal) already.'], exitCode: 0 };
  const { system, place, hasNvidia, download: fetchPackages } = await readDeps();
  if (system !== 'linux-x64' && system !== 'win-x64')
    return {
      lines: [`There is no package of llama.cpp for graphics cards on ${system}. Use a server with --engine instead.`],
      exitCode: 1,
    };
  const chosen = kind ?? (hasNvidia() ? 'cuda' : 'vulkan');
  const names = PACKAGES[chosen].map((part) => `${system}-${part}`);
  // Beside the packages, so that they can be moved into their place.
  const folder = await mkdtemp(join(dirname(place.folder), '.gpu-'));
  try {
    await fetchPackages(
      folder,
      names.map((name) => `${SCOPE}/${name}@${place.version}`),
    );
    for (const name of names) {
      await rm(join(place.folder, name), { recursive: true, force: true });
      await rename(join(folder, 'node_modules', SCOPE, name), join(place.folder, name));
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      lines: [`The package for ${chosen} could not be installed (${reason}). Look at npm's lines above.`],
      exitCode: 1,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return {
    lines: [
      `llama.cpp for ${chosen} is installed. Start the studio again; "doctor" says whether it finds the card.`,
      'An install of the studio’s packages, such as npm ci, removes it: then do this once more.',
    ],
    exitCode: 0,
  };
}
