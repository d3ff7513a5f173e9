import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openProcess } from '#service/threads/isolated.ts';
import { readFully, streamFile } from './files.ts';
import { openFiles, type FilesOptions, type OpenFiles } from './openFiles.ts';
import { makePipe } from './silent.fixture.ts';
import { PLACE_ENV, Silence } from './mountCalls.ts';
import { atEnd, keepFolder } from '#service/files/keep.fixture.ts';

let folder: string;
beforeEach(async () => {
  folder = keepFolder();
});
function open(options: Partial<FilesOptions> = {}): OpenFiles {
  const files = openFiles({ near: [], ...options });
  atEnd(() => files.close());
  return files;
}

describe.each(['near', 'far'] as const)('files that are %s', (which) => {
  const make = (): OpenFiles => open(which === 'near' ? { near: [folder] } : {});

  it('are found with what they are, behind links, and read in parts', async () => {
    const files = make();
    await writeFile(join(folder, 'a'), 'hello');
    await symlink(join(folder, 'a'), join(folder, 'link'));
    expect(await files.find(join(folder, 'link'))).toMatchObject({
      path: join(folder, 'a'),
      kind: 'file',
      bytes: 5,
      isReadable: true,
    });
    expect(await files.find(folder)).toMatchObject({ kind: 'folder' });
    expect(await files.find(join(folder, 'none'))).toBeNull();
    expect(new TextDecoder().decode(await files.read(join(folder, 'a'), 1, 100))).toBe('ello');
    await expect(files.read(join(folder, 'none'), 0, 1)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(files.read(folder, 0, 1)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('are read whole in several parts, and a file that became shorter ends its stream with an error', async () => {
    const files = make();
    const bytes = Buffer.alloc(2.5 * 2 ** 20, 'abc');
    await writeFile(join(folder, 'a'), bytes);
    expect(bytes.equals(await readFully(files, join(folder, 'a'), 0, 2 ** 22))).toBe(true);
    const parts: Uint8Array[] = [];
    for await (const part of streamFile(files, join(folder, 'a'), bytes.length)) parts.push(part);
    expect(bytes.equals(Buffer.concat(parts))).toBe(true);
    const rest = streamFile(files, join(folder, 'a'), bytes.length + 1);
    await expect(
      (async () => {
        for await (const part of rest) parts.push(part);
      })(),
    ).rejects.toThrow('became shorter');
  });
});

it('starts its process again after it has ended', async () => {
  const pids: number[] = [];
  const files = open({
    open: (onMessage) => {
      const isolated = openProcess({
        entry: new URL('./filesEntry.ts', import.meta.url),
        env: PLACE_ENV,
        onMessage,
      });
      pids.push(isolated.pid ?? 0);
      return isolated as ReturnType<NonNullable<FilesOptions['open']>>;
    },
  });
  expect(await files.find(folder)).not.toBeNull();
  process.kill(pids[0]!, 'SIGKILL');
  await expect.poll(() => files.find(folder).catch(() => null), { timeout: 20_000 }).not.toBeNull();
  expect(pids).toHaveLength(2);
});

it('gives up a process that answers nothing', async () => {
  const files = open({
    open: () => ({
      pid: null,
      post: () => undefined,
      ended: new Promise(() => undefined),
      end: async () => undefined,
      hold: () => undefined,
    }),
    longest: 20,
  });
  await expect(files.find(folder)).rejects.toBeInstanceOf(Silence);
});

// Windows has no such pipes.
it.skipIf(process.platform === 'win32')(
  'keeps neither the service nor other files waiting while eight calls hang, and goes on when they return',
  async () => {
    const files = open({
      open: (onMessage) =>
        openProcess({ entry: new URL('./hanging.fixture.ts', import.meta.url), env: PLACE_ENV, onMessage }),
      longest: 20_000,
    });
    await writeFile(join(folder, 'a'), 'hello');
    const pipes = Array.from({ length: 8 }, (_, at) => join(folder, String(at), 'x.pipe'));
    for (const pipe of pipes) {
      await mkdir(join(pipe, '..'));
      makePipe(pipe);
    }
    const hung = pipes.map((pipe) => files.find(pipe).catch((error: unknown) => error));
    for (const error of await Promise.all(hung)) expect(error).toBeInstanceOf(Silence);
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('hello');
    expect(await files.find(join(folder, 'a'))).toMatchObject({ bytes: 5 });
    await expect(files.find(pipes[0]!)).rejects.toThrow('has not answered since');
    // The call that hangs returns when somebody writes; the next one waits for a writer, too.
    createReadStream(pipes[0]!)
      .on('error', () => undefined)
      .resume();
    const writer = createWriteStream(pipes[0]!);
    await expect
      .poll(() => files.find(pipes[0]!).catch(() => null), { timeout: 10_000 })
      .toMatchObject({ kind: 'other' });
    writer.end();
  },
  60_000,
);
