import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCommandLine, type Command } from './commands.ts';
import { OPTIONS } from './flags.ts';
import { HELP } from './help.ts';

const parse = (args: readonly string[], environment: Record<string, string> = {}): Command =>
  parseCommandLine(args, environment, '/w');

describe('a command line', () => {
  it('starts the studio', () => {
    expect(parse(['--port', '1'])).toMatchObject({ kind: 'settings', settings: { port: 1 } });
    expect(parse(['--no-such'])).toMatchObject({ kind: 'problem', message: expect.stringContaining('--no-such') });
  });

  it('asks for the version and for help', () => {
    expect(parse(['--version'])).toEqual({ kind: 'version' });
    expect(parse(['-v', '--port', 'x'])).toEqual({ kind: 'version' });
    expect(parse(['--help'])).toEqual({ kind: 'help' });
    expect(parse(['doctor', '--help'])).toEqual({ kind: 'help' });
    expect(parse(['doctor', '--runs', 'a', '--help'])).toEqual({ kind: 'help' });
  });

  it('examines what a start with the same flags and variables would use', () => {
    expect(parse(['doctor'])).toMatchObject({ kind: 'doctor', settings: { port: 4600, dataDir: '/w/.studio' } });
    expect(parse(['doctor', '--port', '1', '--runs', 'a'])).toMatchObject({
      kind: 'doctor',
      settings: { port: 1, mode: { runs: ['/w/a'] } },
    });
    expect(parse(['doctor'], { STUDIO_RUNS: '/a' })).toMatchObject({ settings: { mode: { runs: ['/a'] } } });
    expect(parse(['doctor', '--port', 'x'])).toMatchObject({ kind: 'problem' });
  });

  it('examines folders of runs alone', () => {
    expect(parse(['doctor', '--runs', 'a'])).toEqual({ kind: 'examine', runs: ['/w/a'] });
    expect(parse(['doctor', '--runs', ''])).toMatchObject({ kind: 'problem' });
  });

  it('trains for a studio elsewhere', () => {
    const flags = ['worker', '--studio', 'https://s.example.com', '--token-file', 't'];
    expect(parse(flags)).toEqual({
      kind: 'worker',
      worker: {
        studio: new URL('https://s.example.com'),
        token: { file: '/w/t' },
        once: null,
        name: null,
        trainer: null,
        threads: null,
        dataDir: '/w/.studio-worker',
        warnings: [],
      },
    });
    expect(parse(['worker', '--studio', 'http://s.lan:4600', '--token-file', 't'])).toMatchObject({
      worker: {
        warnings: [
          'http://s.lan:4600 has no TLS: on the way the token and all rows can be read, and what this machine is to train ' +
            'can be changed. Use an https:// address.',
        ],
      },
    });
    expect(parse([...flags, '--trainer', "train 'a b'", '--name', 'gpu-1', '--data', '/d'])).toMatchObject({
      worker: { name: 'gpu-1', trainer: ['train', 'a b'], threads: null, dataDir: '/d' },
    });
    expect(parse([...flags, '--threads', '3'])).toMatchObject({ worker: { trainer: null, threads: 3 } });
    const id = '6F0C2A1E-0d5b-4c37-9a51-1f2e3d4c91ab';
    expect(parse([...flags, '--run', id])).toMatchObject({ worker: { once: { id: id.toLowerCase() } } });
    expect(parse([...flags.slice(0, 3), '--once', '--claim', 'c'.repeat(46)])).toMatchObject({
      worker: { once: { id: null }, token: { claim: 'c'.repeat(46) } },
    });
    expect(parse(['worker', '--help'])).toEqual({ kind: 'help' });
  });

  it('serves a studio to an assistant', () => {
    expect(parse(['mcp', '--studio', 'http://127.0.0.1:4600', '--token-file', 't'])).toEqual({
      kind: 'mcp',
      studio: { studio: new URL('http://127.0.0.1:4600'), tokenFile: '/w/t', warnings: [] },
    });
    expect(parse(['mcp', '--help'])).toEqual({ kind: 'help' });
  });

  it.each([
    [['mcp'], 'mcp needs the address of the studio'],
    [['mcp', '--studio', 'http://a'], 'mcp needs a file with its token'],
    [['mcp', '--token', 'secret'], '--studio URL --token-file FILE'],
    [['worker'], 'address of the studio'],
    [['worker', '--studio', 'http://a'], 'a file with its token'],
    [['worker', '--studio', 'ftp://a', '--token-file', 't'], 'must be a URL'],
    [['worker', '--studio', 'http://a', '--token-file', 't', '--name', '/x'], '1 to 60 letters'],
    [['worker', '--studio', 'http://a', '--token-file', 't', '--trainer', "'x"], 'not closed'],
    [['worker', '--studio', 'http://a', '--token-file', 't', '--run', '7'], 'must be the id of a run'],
    [['worker', '--studio', 'http://a', '--token-file', 't', '--claim', 'c'.repeat(46)], 'takes the place'],
    [['worker', '--token', 'secret'], '--studio URL --token-file FILE'],
  ])('%j: %s', (args, message) => {
    expect(parse(args)).toMatchObject({ kind: 'problem', message: expect.stringContaining(message) as string });
  });

  it('installs the package for a graphics card', () => {
    expect(parse(['gpu'])).toEqual({ kind: 'gpu', card: null });
    expect(parse(['gpu', 'cuda'])).toEqual({ kind: 'gpu', card: 'cuda' });
    expect(parse(['gpu', '--help'])).toEqual({ kind: 'help' });
    for (const words of [
      ['gpu', 'amd'],
      ['gpu', 'cuda', 'x'],
    ])
      expect(parse(words)).toMatchObject({
        kind: 'problem',
        message: expect.stringContaining('cuda or vulkan') as string,
      });
  });

  it('makes, lists and revokes tokens', () => {
    const place = { dataDir: '/w/.studio', databaseUrl: null };
    expect(parse(['token', 'add', 'ada', '--read-only'])).toEqual({
      kind: 'token',
      command: { action: { kind: 'add', name: 'ada', isReadOnly: true }, ...place },
    });
    expect(parse(['token', 'list', '--data', 'd'])).toMatchObject({
      command: { dataDir: '/w/d', action: { kind: 'list' } },
    });
    expect(parse(['token', 'revoke', 'ada'], { STUDIO_DATA: '/d', DATABASE_URL: 'postgres://h/d' })).toMatchObject({
      command: { dataDir: '/d', databaseUrl: 'postgres://h/d', action: { kind: 'revoke', name: 'ada' } },
    });
    expect(parse(['token', '-h'])).toEqual({ kind: 'help' });
  });

  it.each([
    [['token'], 'what to do'],
    [['token', 'make', 'x'], 'what to do'],
    [['token', 'add'], 'needs a name'],
    [['token', 'list', 'x'], 'what to do'],
    [['token', 'add', 'a', 'b'], 'one word too many'],
    [['token', 'add', '../x'], '1 to 60 letters'],
    [['token', 'list', '--read-only'], 'belongs to'],
    [['token', 'list', '--port', '1'], '--port'],
  ])('refuses %j', (args, words) =>
    expect(parse(args)).toMatchObject({ kind: 'problem', message: expect.stringContaining(words) as string }),
  );

  it('has its command first', () =>
    expect(parse(['--runs', 'a', 'doctor'])).toMatchObject({
      kind: 'problem',
      message: expect.stringContaining('"doctor" is not a flag') as string,
    }));
});

describe('help', () => {
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
  const tableOf = (text: string): string => text.slice(text.indexOf('| flag | variable |')).split('\n\n')[0] ?? '';
  const namesIn = (text: string): readonly string[] => [
    ...new Set(text.match(/(?<![\w-])--[a-z][a-z-]+|\b(?:STUDIO_[A-Z_]+|DATABASE_URL|PORT|HOST)\b/g)),
  ];

  it('names every flag', () => {
    for (const name of Object.keys(OPTIONS)) expect(namesIn(HELP)).toContain(`--${name}`);
  });

  it('names the flags and variables of the table in the README, which has all but those for developers and of other commands', () => {
    const table = namesIn(tableOf(readme));
    const elsewhere = new Set([
      '--dev',
      '--read-only',
      '--help',
      '--version',
      '--studio',
      '--token-file',
      '--name',
      '--once',
      '--run',
      '--models',
      '--min-pass',
      '--baseline',
      '--margin',
      '--repeats',
      '--json',
    ]);
    expect(
      namesIn(HELP)
        .filter((name) => !elsewhere.has(name))
        .toSorted(),
    ).toEqual(table.toSorted());
  });

  it('fits a terminal', () => {
    for (const line of HELP.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});
