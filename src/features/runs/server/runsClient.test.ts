import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Isolated, IsolatedEnd } from '#service/threads/isolated.ts';
import { answerAsks, type Question, type Reply } from '#service/threads/threadRequests.ts';
import type { Files } from '#service/files/files.ts';
import { openFilesCore } from '#service/files/filesCore.ts';
import { outputs } from './evidence.fixture.ts';
import { fakeReader } from './fakeReader.fixture.ts';
import { RunsForbidden, RunsProblem, RunsUnavailable, type Runs } from './runs.ts';
import { openRuns, type RunsOptions } from './runsClient.ts';
import { openRunsCore } from './runsCore.ts';
import { keep, keepFolder } from '#service/files/keep.fixture.ts';

let folder = '';
const log: string[] = [];
beforeEach(() => {
  folder = keepFolder();
  mkdirSync(join(folder, 'data'));
  mkdirSync(join(folder, 'outputs'));
  log.length = 0;
});
/** A process that answers in this one; `crash` ends it as an error would. */
class FakeProcess implements Isolated<Question> {
  readonly pid = null;
  static readonly all: FakeProcess[] = [];
  isSilent = false;
  #end: (end: IsolatedEnd) => void = () => undefined;
  readonly ended = new Promise<IsolatedEnd>((resolve) => {
    this.#end = resolve;
  });
  readonly #core = openRunsCore({
    openReader: (path, onChange) => fakeReader(path, [outputs('x')], onChange),
    findProcess: () => 'unknown',
  });
  #listener: (question: Question) => void = () => undefined;

  constructor(onReply: (reply: Reply) => void) {
    FakeProcess.all.push(this);
    answerAsks(
      { receive: (listener) => (this.#listener = listener), post: (reply) => onReply(structuredClone(reply)) },
      this.#core,
    );
  }

  post(question: Question): void {
    if (!this.isSilent) this.#listener(question);
  }

  hold(): void {}

  async end(): Promise<void> {
    this.#end({ cause: 'asked', error: null, signal: null, lastLines: [] });
  }

  crash(): void {
    this.#end({ cause: 'failed', error: new Error('out of memory'), signal: null, lastLines: [] });
  }
}

async function open(folders: readonly string[] = [], options: Partial<RunsOptions> = {}): Promise<Runs> {
  return keep(
    openRuns({
      folders,
      dataDir: join(folder, 'data'),
      report: (line) => void log.push(line),
      open: (onReply) => new FakeProcess(onReply),
      ...options,
    }),
  );
}

const hanging = (): Files => {
  const forEver = (): Promise<never> => new Promise(() => undefined);
  return openFilesCore({ find: forEver, read: forEver }, 10);
};

const file = (): string => join(folder, 'data', 'run-roots.json');
const root = (): string => join(folder, 'outputs');

describe('roots', () => {
  it('of a flag are there at once and can not be removed', async () => {
    const runs = await open([root()]);
    const [project] = await runs.listProjects();
    expect(project?.name).toBe('outputs');
    expect(await runs.listRoots()).toMatchObject([{ id: project?.id, path: root(), from_flag: true, runs: 1 }]);
    expect(await runs.removeRoot(project!.id)).toBe('from-flag');
    expect((await runs.findProject(project!.id))?.id).toBe(project?.id);
  });

  it('that were added come back after a restart, with their grouping, readable by the owner only', async () => {
    const runs = await open();
    expect([await runs.listRoots(), await runs.listProjects()]).toEqual([[], []]);
    const { id } = await runs.addRoot(root(), 'anywhere');
    expect((await runs.changeRoot(id, { grouping: { by: 'parameter', parameter: 'seed' } }))?.grouping.by).toBe(
      'parameter',
    );
    expect(await runs.changeRoot(id, { main_measure: 'accuracy' })).toMatchObject({ main_measure: 'accuracy' });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const again = await open();
    expect(await again.listRoots()).toMatchObject([
      { id, from_flag: false, grouping: { parameter: 'seed' }, main_measure: 'accuracy' },
    ]);
    expect((await again.changeRoot(id, { main_measure: null }))?.main_measure).toBeUndefined();
    expect([await again.removeRoot(id), await again.removeRoot(id), await again.listRoots()]).toEqual([
      'removed',
      null,
      [],
    ]);
    expect(await (await open()).listProjects()).toEqual([]);
    expect(readdirSync(join(folder, 'data'))).toEqual(['run-ids', 'run-roots.json']);
  });

  it('keep their grouping when they come from a flag', async () => {
    const runs = await open([root()]);
    await runs.changeRoot((await runs.listProjects())[0]!.id, { grouping: { by: 'pattern', pattern: 'a' } });
    expect(await (await open()).listRoots()).toEqual([]);
    expect(await (await open([root()])).listRoots()).toMatchObject([{ grouping: { by: 'pattern' } }]);
  });

  it('are not shown inside each other, and the reason names the other', async () => {
    const runs = await open();
    const { id } = await runs.addRoot(root(), 'anywhere');
    await expect(runs.addRoot(folder, 'anywhere')).rejects.toThrow(`${root()}, which lies in it, is shown already`);
    mkdirSync(join(root(), 'inner'));
    await expect(runs.addRoot(join(root(), 'inner'), 'anywhere')).rejects.toThrow(`with those of ${root()}`);
    expect(await runs.listRoots()).toMatchObject([{ id }]);
    // Shown again once the flag is gone.
    expect(await (await open([folder])).listRoots()).toMatchObject([{ path: folder }]);
    expect(await (await open()).listRoots()).toMatchObject([{ id }]);
  });

  it('are one by their real path', async () => {
    symlinkSync(root(), join(folder, 'link'));
    const runs = await open([root(), join(folder, 'link')]);
    expect(await runs.listProjects()).toHaveLength(1);
    await runs.addRoot(join(folder, 'link'), 'anywhere');
    expect(await runs.listProjects()).toHaveLength(1);
  });

  it.each([
    ['relative/path', 'not absolute'],
    ['/no/such/folder', 'no such folder'],
    ['FILE', 'it is a file'],
    ['/a\0b', 'zero byte'],
    [`/${'x'.repeat(300)}`, 'too long'],
  ])('refuse %j: %s', async (path, why) => {
    const runs = await open();
    writeFileSync(join(folder, 'plain.txt'), '');
    await expect(runs.addRoot(path === 'FILE' ? join(folder, 'plain.txt') : path, 'anywhere')).rejects.toThrow(why);
    await expect(runs.addRoot('x', 'anywhere')).rejects.toBeInstanceOf(RunsProblem);
    expect(await runs.listProjects()).toEqual([]);
  });

  it('of who did not start the studio lie in those of the flag, also by their links, and nothing is said of others', async () => {
    mkdirSync(join(folder, 'others'));
    symlinkSync(join(folder, 'others'), join(root(), 'out'));
    const runs = await open([root()]);
    for (const path of [folder, join(folder, 'others'), join(folder, 'none'), join(root(), 'out'), join(root(), '..')])
      await expect(runs.addRoot(path, 'given folders')).rejects.toThrow(RunsForbidden);
    await expect(runs.addRoot('/etc', 'given folders')).rejects.toThrow(`started with: ${root()}. Whoever runs`);
    expect(await runs.addRoot(root(), 'given folders')).toMatchObject({ path: root(), from_flag: true });
    const none = await open();
    await none.addRoot(join(folder, 'others'), 'anywhere');
    await expect(none.addRoot(join(folder, 'others'), 'given folders')).rejects.toThrow('none was given');
  });

  it('refuse a mount that hangs', async () => {
    const runs = await open([], { files: hanging() });
    await expect(runs.addRoot(root(), 'anywhere')).rejects.toThrow('its disk or network mount has not answered since');
  });

  it('of a mount that hangs keep no start waiting, and are shown', async () => {
    const runs = await open([root(), join(folder, 'data')], { files: hanging() });
    expect((await runs.listProjects()).map(({ name }) => name)).toEqual(['outputs', 'data']);
    expect(log.join()).toContain(`mount of ${root()} does not answer. Its runs are shown when it does.`);
  });

  it('of a flag may be away, which is said', async () => {
    const runs = await open([join(folder, 'later')]);
    expect(await runs.listProjects()).toHaveLength(1);
    expect(log.join()).toContain('there is no folder');
  });

  it.each([
    ['half', '{"roots": ['],
    ['other', '{"roots": [{"path": 7}]}'],
  ])('of a damaged file (%s) are put aside, which is said', async (_what, text) => {
    writeFileSync(file(), text);
    const runs = await open();
    expect(await runs.listProjects()).toEqual([]);
    const kept = readdirSync(join(folder, 'data')).find((name) => name.startsWith('run-roots.json.damaged'));
    expect(readFileSync(join(folder, 'data', kept ?? ''), 'utf8')).toBe(text);
    expect(log.join()).toMatch(/is damaged .*kept as/);
    await runs.addRoot(root(), 'anywhere');
    expect(await (await open()).listProjects()).toHaveLength(1);
  });

  it('that can not be kept are shown, and the reason is said', async () => {
    if (process.getuid?.() === 0) return;
    const runs = await open();
    chmodSync(join(folder, 'data'), 0o500);
    await expect(runs.addRoot(root(), 'anywhere')).rejects.toThrow("can't be kept");
    chmodSync(join(folder, 'data'), 0o700);
  });
});

describe('the process', () => {
  it('gives the same tree for the same state', async () => {
    const runs = await open([root()]);
    const [{ id } = { id: '' }] = await runs.listProjects();
    expect(await runs.findProject(id)).toBe(await runs.findProject(id));
  });

  it('that fails is said and started again; what was asked meanwhile is refused', async () => {
    const runs = await open([root()]);
    const [before] = await runs.listRoots();
    const last = FakeProcess.all.at(-1)!;
    last.isSilent = true;
    const asked = runs.listRoots();
    last.crash();
    await expect(asked).rejects.toBeInstanceOf(RunsUnavailable);
    await expect(runs.findRun('x')).rejects.toThrow('started again');
    expect(await runs.listModelFiles()).toEqual([]);
    expect(log.join()).toContain('out of memory');
    await expect.poll(() => runs.listRoots().catch(() => null), { timeout: 5000 }).toMatchObject([{ id: before?.id }]);
    expect(FakeProcess.all.at(-1)).not.toBe(last);
  });

  it('that gives no answer keeps no list of models waiting, which has those of before', async () => {
    const runs = await open([root()]);
    await runs.listModelFiles();
    FakeProcess.all.at(-1)!.isSilent = true;
    expect(await runs.listModelFiles()).toEqual([]);
  }, 20_000);

  it('that gives no answer keeps no request for ever', async () => {
    const runs = await open([root()], { longest: 20 });
    FakeProcess.all.at(-1)!.isSilent = true;
    const asked = runs.listRoots();
    await expect(asked).rejects.toBeInstanceOf(RunsUnavailable);
    await expect(asked).rejects.toThrow('gave no answer within 0.02 s. A disk or a network mount may hang');
    // It goes on when it answers again.
    FakeProcess.all.at(-1)!.isSilent = false;
    await expect.poll(() => runs.listRoots().catch(() => [])).toHaveLength(1);
  });

  it('that is away loses no folder that is added, and none that is removed comes back', async () => {
    const runs = await open([folder]);
    const [{ id: kept } = { id: '' }] = await runs.listRoots();
    const other = keepFolder();
    FakeProcess.all.at(-1)!.crash();
    // It is read as soon as the thread is there again.
    await expect(runs.addRoot(other, 'anywhere')).rejects.toThrow('started again');
    await expect(runs.changeRoot(kept, { main_measure: 'accuracy' })).rejects.toThrow('started again');
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toMatchObject({
      roots: [{ path: folder, measure: 'accuracy' }, { path: realpathSync(other) }],
    });
    const added = (await runs.listProjects()).find(({ id }) => id !== kept)!;
    expect(await runs.removeRoot(added.id)).toBe('removed');
    const again = await open([folder]);
    expect(await again.listRoots()).toMatchObject([{ id: kept, main_measure: 'accuracy' }]);
  });

  it('is a real process that reads a real folder', async () => {
    mkdirSync(join(root(), 'photos'));
    writeFileSync(join(root(), 'photos', 'a.jpg'), '');
    const runs = await open([root()], { open: undefined });
    await runs.look();
    expect(await runs.listRoots()).toMatchObject([{ path: root(), runs: 0, not_understood: [{ folder: 'photos' }] }]);
    await runs.close();
    await expect(runs.listRoots()).rejects.toThrow('shutting down');
  }, 30_000);
});
