import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installGpu, readGpuDeps, type GpuDeps } from './installGpu.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const folders = await keepFolders();

const SCOPE = '@node-llama-cpp';

/** A folder of packages in which that of Vulkan was replaced by an empty one. */
async function openDeps(more: Partial<GpuDeps> = {}) {
  const folder = join(await folders.empty(), 'node_modules', SCOPE);
  await mkdir(join(folder, 'linux-x64-vulkan'), { recursive: true });
  await writeFile(join(folder, 'linux-x64-vulkan', 'empty'), '');
  const asked: string[][] = [];
  const deps: GpuDeps = {
    system: 'linux-x64',
    place: { folder, version: '3.21.1' },
    hasNvidia: () => false,
    async download(to, packages) {
      asked.push([...packages]);
      for (const name of packages) {
        const made = join(to, 'node_modules', name.slice(0, name.lastIndexOf('@')));
        await mkdir(made, { recursive: true });
        await writeFile(join(made, 'binary'), name);
      }
    },
    ...more,
  };
  return { deps, folder, asked };
}

describe.skipIf(process.platform === 'darwin')('the package for a graphics card', () => {
  it('replaces the empty one, in the version of the package for processors', async () => {
    const { deps, folder, asked } = await openDeps();
    const { lines, exitCode } = await installGpu(null, async () => deps);
    expect([exitCode, lines[0]]).toEqual([0, expect.stringContaining('llama.cpp for vulkan is installed')]);
    expect(asked).toEqual([[`${SCOPE}/linux-x64-vulkan@3.21.1`]]);
    expect(await readFile(join(folder, 'linux-x64-vulkan', 'binary'), 'utf8')).toContain('vulkan');
    expect(existsSync(join(folder, 'linux-x64-vulkan', 'empty'))).toBe(false);
    expect(await readdir(join(folder, '..'))).toEqual([SCOPE]);
  });

  it('is NVIDIA’s, in two parts, where there is such a card', async () => {
    const { deps, asked } = await openDeps({ hasNvidia: () => true });
    await installGpu(null, async () => deps);
    expect(asked[0]).toEqual([`${SCOPE}/linux-x64-cuda@3.21.1`, `${SCOPE}/linux-x64-cuda-ext@3.21.1`]);
    await installGpu('vulkan', async () => deps);
    expect(asked[1]).toEqual([`${SCOPE}/linux-x64-vulkan@3.21.1`]);
  });

  it('is not there for some systems', async () => {
    const { deps, asked } = await openDeps({ system: 'linux-arm64' });
    expect(await installGpu(null, async () => deps)).toMatchObject({ exitCode: 1 });
    expect(asked).toEqual([]);
  });

  it('leaves everything as it was if it does not come', async () => {
    const { deps, folder } = await openDeps({
      download: () => Promise.reject(new Error('npm ended with the exit code 1')),
    });
    const { lines, exitCode } = await installGpu('vulkan', async () => deps);
    expect([exitCode, lines[0]]).toEqual([1, expect.stringContaining('npm ended with the exit code 1')]);
    expect(existsSync(join(folder, 'linux-x64-vulkan', 'empty'))).toBe(true);
    expect(await readdir(join(folder, '..'))).toEqual([SCOPE]);
  });

  it('belongs beside the package for processors of this install', async () => {
    const { place } = await readGpuDeps();
    expect(place.folder.endsWith(SCOPE)).toBe(true);
    expect(place.version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
