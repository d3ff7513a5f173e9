// When the dashboard is built, what its hash covers, and how a built folder is served. The bundler itself runs in e2e.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ensureBuilt } from './build.ts';
import { hashInputs } from './buildHash.ts';
import { compressFolder } from '#service/http/compress.ts';
import { toBuiltFront } from '#service/http/dashboardFiles.ts';
import { readStaticFiles, typeOf } from '#service/http/staticFiles.ts';
import { keepFolder } from '#service/files/keep.fixture.ts';

let root = '';

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = keepFolder();
  write('index.html', '<p>');
  write('src/app/web/App.tsx', 'app');
  write('src/app/server/launch/main.ts', 'service');
  write('public/favicon.svg', '<svg/>');
});

describe('the hash over the sources', () => {
  it('is the same for the same sources', () => {
    expect(hashInputs(root)).toBe(hashInputs(root));
    expect(hashInputs(root)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is the same however the folder is written: else `npm pack` and `npm start` each build anew', () => {
    expect(hashInputs(`${root}/`)).toBe(hashInputs(root));
  });

  it.each([
    ['a change', 'src/app/web/App.tsx', 'other'],
    ['a new file', 'src/ui/kit/Button.tsx', 'new'],
    ['a new public file', 'public/theme.js', 'new'],
    ['the page', 'index.html', '<b>'],
    ['the configuration', 'vite.config.ts', 'new'],
    ['a dependency', 'package-lock.json', '{}'],
    ['the start of the app', 'src/app/web/main.tsx', 'new'],
    ['the styles', 'src/app/web/styles.css', 'new'],
    ['a page of a feature', 'src/features/runs/web/RunPage.tsx', 'new'],
    ['what a feature shares', 'src/features/runs/shared/runs.ts', 'new'],
    ['what the trainer can train', 'src/trainer/shared/canTrain.ts', 'new'],
  ])('%s changes it', (_, path, text) => {
    const before = hashInputs(root);
    write(path, text);
    expect(hashInputs(root)).not.toBe(before);
  });

  it.each([
    ['the service', 'src/app/server/launch/main.ts', 'other'],
    ['a test', 'src/app/web/App.test.ts', 'new'],
    ['the README', 'README.md', 'new'],
    ['the engine', 'src/engine/a.ts', 'new'],
    ['the service of a feature', 'src/features/runs/server/runs.ts', 'new'],
    ['the trainer', 'src/trainer/main.ts', 'new'],
  ])('%s does not', (_, path, text) => {
    const before = hashInputs(root);
    write(path, text);
    expect(hashInputs(root)).toBe(before);
  });

  it('text that moves from one file to another changes it', () => {
    write('src/app/web/A.tsx', 'ab');
    write('src/app/web/B.tsx', 'c');
    const before = hashInputs(root);
    write('src/app/web/A.tsx', 'a');
    write('src/app/web/B.tsx', 'bc');
    expect(hashInputs(root)).not.toBe(before);
  });
});

describe('ensureBuilt', () => {
  const signal = new AbortController().signal;
  let builds = 0;
  const run = async (outDir: string): Promise<void> => {
    builds += 1;
    mkdirSync(outDir, { recursive: true });
    writeFileSync(join(outDir, 'index.html'), `build ${builds}`);
  };
  const built = (): string => readFileSync(join(root, 'dist', 'index.html'), 'utf8');

  beforeEach(() => {
    builds = 0;
  });

  it('builds once, and again only after a change', async () => {
    const onBuild = vi.fn<() => void>();
    expect(await ensureBuilt({ root, signal, run, onBuild })).toBe(join(root, 'dist'));
    await ensureBuilt({ root, signal, run, onBuild });
    expect(builds).toBe(1);
    expect(onBuild).toHaveBeenCalledTimes(1);
    write('src/app/web/App.tsx', 'changed');
    await ensureBuilt({ root, signal, run, onBuild });
    expect(builds).toBe(2);
    expect(onBuild).toHaveBeenCalledTimes(2);
    expect(built()).toBe('build 2');
  });

  it('builds again when the result was damaged', async () => {
    await ensureBuilt({ root, signal, run });
    rmSync(join(root, 'dist', 'index.html'));
    await ensureBuilt({ root, signal, run });
    expect(built()).toBe('build 2');
  });

  it('leaves nothing of an older build', async () => {
    await ensureBuilt({ root, signal, run });
    write('dist/assets/old.js', 'old');
    write('src/app/web/App.tsx', 'changed');
    await ensureBuilt({ root, signal, run });
    expect(existsSync(join(root, 'dist', 'assets', 'old.js'))).toBe(false);
    expect(readdirSync(join(root, 'node_modules', '.cache'))).toEqual([]);
  });

  it('a build that fails keeps the old one and leaves nothing', async () => {
    await ensureBuilt({ root, signal, run });
    write('src/app/web/App.tsx', 'broken');
    const failing = async (outDir: string): Promise<void> => {
      await run(outDir);
      throw new Error('syntax');
    };
    await expect(ensureBuilt({ root, signal, run: failing })).rejects.toThrow('syntax');
    expect(built()).toBe('build 1');
    expect(readdirSync(join(root, 'node_modules', '.cache'))).toEqual([]);
  });

  it('many starts at once all end with a whole build', async () => {
    const slow = async (outDir: string): Promise<void> => {
      await new Promise(setImmediate);
      await run(outDir);
    };
    const folders = await Promise.all(Array.from({ length: 5 }, () => ensureBuilt({ root, signal, run: slow })));
    expect(new Set(folders)).toEqual(new Set([join(root, 'dist')]));
    expect(built()).toMatch(/^build \d$/);
    expect(readdirSync(join(root, 'node_modules', '.cache'))).toEqual([]);
    const before = builds;
    await ensureBuilt({ root, signal, run });
    expect(builds).toBe(before);
  });

  it('says when the folder can not be replaced', async () => {
    mkdirSync(join(root, 'dist'));
    const late = async (outDir: string): Promise<void> => {
      await run(outDir);
      rmSync(outDir, { recursive: true });
      writeFileSync(outDir, 'a file where the build should be');
    };
    await expect(ensureBuilt({ root, signal, run: late })).rejects.toThrow();
    expect(readdirSync(join(root, 'node_modules', '.cache'))).toEqual([]);
  });
});

describe('a built folder', () => {
  const script = 'const a = 1;\n'.repeat(500);

  beforeEach(async () => {
    write('dist/index.html', '<meta nonce="__CSP_NONCE__">');
    write('dist/assets/index-1a2b.js', script);
    write('dist/assets/small-1a2b.js', 'x');
    write('dist/assets/font-1a2b.woff2', 'x'.repeat(5_000));
    write('dist/.build-hash', 'secret');
    writeFileSync(join(root, 'outside.js'), 'outside');
    symlinkSync(join(root, 'outside.js'), join(root, 'dist', 'link.js'));
    await compressFolder(join(root, 'dist'));
  });

  it('is compressed where that is worth it', () => {
    const names = readdirSync(join(root, 'dist', 'assets')).toSorted();
    expect(names).toEqual([
      'font-1a2b.woff2',
      'index-1a2b.js',
      'index-1a2b.js.br',
      'index-1a2b.js.gz',
      'small-1a2b.js',
    ]);
  });

  it('is compressed best where every page loads it', async () => {
    const text = Array.from({ length: 4_000 }, (_, at) => `const value${(at * 7_919) % 1_009} = ${at % 83};`).join(
      '\n',
    );
    write('dist/index.html', '<script src="/assets/first-1a2b.js"></script>');
    for (const name of ['first', 'later']) write(`dist/assets/${name}-1a2b.js`, text);
    await compressFolder(join(root, 'dist'));
    const [first = 0, later = 0] = ['first', 'later'].map(
      (name) => readFileSync(join(root, 'dist', 'assets', `${name}-1a2b.js.br`)).length,
    );
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(later);
  });

  it('is served by exact names, with types and both encodings', () => {
    const files = readStaticFiles(join(root, 'dist'));
    expect([...files.keys()].toSorted()).toEqual([
      '/assets/font-1a2b.woff2',
      '/assets/index-1a2b.js',
      '/assets/small-1a2b.js',
      '/index.html',
    ]);
    const file = files.get('/assets/index-1a2b.js');
    expect(file).toMatchObject({ type: 'text/javascript; charset=utf-8', isImmutable: true });
    expect(brotliDecompressSync(file?.encoded.br ?? '').toString()).toBe(script);
    expect(gunzipSync(file?.encoded.gzip ?? '').toString()).toBe(script);
    expect(files.get('/index.html')?.isImmutable).toBe(false);
  });

  it('stays as it was when the folder is replaced under a running service', async () => {
    const front = toBuiltFront(readStaticFiles(join(root, 'dist')));
    rmSync(join(root, 'dist'), { recursive: true });
    expect(front.find('/assets/index-1a2b.js')?.body.toString()).toBe(script);
    expect(await (await front.sendIndex({ nonce: 'n1', isSignedIn: true })).text()).toBe('<meta nonce="n1">');
    expect(front.find('/index.html')).toBeUndefined();
    await front.close();
  });

  it('without a page is no dashboard', () => {
    expect(() => toBuiltFront(new Map())).toThrow(/index\.html/);
  });

  it.each([
    ['a.js', 'text/javascript; charset=utf-8'],
    ['a.css', 'text/css; charset=utf-8'],
    ['a.svg', 'image/svg+xml'],
    ['a.png', 'image/png'],
    ['a.woff2', 'font/woff2'],
    ['a', 'application/octet-stream'],
    ['a.exe', 'application/octet-stream'],
  ])('%s is %s', (name, type) => {
    expect(typeOf(name)).toBe(type);
  });
});
