import { describe, expect, it } from 'vitest';
import { parseSettings } from './flags.ts';
import type { GatewaySettings, LocalSettings, Settings } from './settings.ts';
import { FlagProblem } from './urlFlags.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function settingsOf(args: readonly string[], environment: Environment = {}): Settings {
  const parsed = parseSettings(args, environment, '/users/ada');
  if (parsed.kind !== 'settings') throw new Error(parsed.kind);
  return parsed.settings;
}

function problemOf(args: readonly string[], environment: Environment = {}): string {
  try {
    parseSettings(args, environment, '/users/ada');
  } catch (error) {
    if (error instanceof FlagProblem) return error.message;
    throw error;
  }
  throw new Error('There is no problem.');
}

function localOf(args: readonly string[], environment: Environment = {}): LocalSettings {
  const { mode } = settingsOf(args, environment);
  if (mode.kind !== 'local') throw new Error(mode.kind);
  return mode;
}

function gatewayOf(args: readonly string[], environment: Environment = {}): GatewaySettings {
  const { mode } = settingsOf(args, environment);
  if (mode.kind !== 'gateway') throw new Error(mode.kind);
  return mode;
}

describe('folders of runs', () => {
  it('come from flags, else from a variable that is a list as PATH is', () => {
    expect(localOf(['--runs', 'out', '--runs=/data/b']).runs).toEqual(['/users/ada/out', '/data/b']);
    expect(localOf([], { STUDIO_RUNS: '/a:b::' }).runs).toEqual(['/a', '/users/ada/b']);
    expect(localOf(['--runs', '/x'], { STUDIO_RUNS: '/a' }).runs).toEqual(['/x']);
  });

  it('may begin with ~, which a shell leaves after =', () => {
    expect(localOf(['--runs=~/outputs', '--runs', '~'], { HOME: '/users/bea' }).runs).toEqual([
      '/users/bea/outputs',
      '/users/bea',
    ]);
    expect(localOf(['--runs', '~x']).runs).toEqual(['/users/ada/~x']);
  });

  it('are no empty text', () => expect(problemOf(['--runs', ' '])).toContain('--runs must be a folder'));

  it('belong to a local studio', () => {
    const key = { STUDIO_API_KEY: 'k' };
    expect(problemOf(['--base-url', 'https://x.example', '--runs', 'a'], key)).toContain(
      '--runs belongs to a local studio',
    );
    expect(problemOf(['--base-url', 'https://x.example'], { ...key, STUDIO_RUNS: '/a' })).toContain(
      'STUDIO_RUNS belongs to a local studio',
    );
  });
});

describe('STUDIO_LEASE_SECONDS', () => {
  it('is a whole number of seconds', () => {
    expect(localOf([], { STUDIO_LEASE_SECONDS: '2' }).leaseSeconds).toBe(2);
    expect(localOf([], { STUDIO_LEASE_SECONDS: '' }).leaseSeconds).toBeNull();
  });

  it.each(['0', '1.5', '3601', 'soon'])('refuses %s', (value) => {
    expect(problemOf([], { STUDIO_LEASE_SECONDS: value })).toContain('from 1 to 3600');
  });
});

describe('--trainer', () => {
  it.each([
    ['python train.py', ['python', 'train.py']],
    ['./train.sh --out "a b"', ['/users/ada/train.sh', '--out', 'a b']],
  ])('%s is split as a shell would', (value, words) => {
    expect(settingsOf(['--trainer', value]).mode).toMatchObject({ trainer: words });
  });

  it.each(['', '   ', 'python "train.py'])('%j is refused with what is wrong', (value) => {
    expect(problemOf(['--trainer', value])).toContain('--trainer must be a command');
  });

  it('can be the name of a framework, whose script is part of the studio', () => {
    const value = 'trl --env venv --model "tiny=../tiny model" --model a/b=Org/Name';
    const script = expect.stringMatching(/[/\\]trainers[/\\]trainWith\.mjs$/) as string;
    const words = ['trl', '--env', '/users/ada/venv', '--model', 'tiny=/users/tiny model', '--model', 'a/b=Org/Name'];
    expect(settingsOf(['--trainer', value]).mode).toMatchObject({ trainer: [process.execPath, script, ...words] });
    expect(settingsOf(['--trainer', './trl']).mode).toMatchObject({ trainer: ['/users/ada/trl'] });
  });

  it('none is no program', () => {
    expect(settingsOf(['--trainer', 'none']).mode).toMatchObject({ trainer: 'none' });
    expect(settingsOf([], { STUDIO_TRAINER: 'none' }).mode).toMatchObject({ trainer: 'none' });
    expect(settingsOf(['--trainer', './none']).mode).toMatchObject({ trainer: ['/users/ada/none'] });
  });

  it('can be a variable, and belongs to a local studio', () => {
    expect(settingsOf([], { STUDIO_TRAINER: 'train' }).mode).toMatchObject({ trainer: ['train'] });
    const remote = { STUDIO_API_KEY: 'k', STUDIO_TRAINER: 'train' };
    expect(problemOf(['--base-url', 'https://x.example'], remote)).toContain(
      'STUDIO_TRAINER belongs to a local studio',
    );
  });
});

describe('without anything', () => {
  it('a local studio on loopback with the sample', () => {
    expect(settingsOf([])).toEqual({
      port: 4600,
      host: '127.0.0.1',
      publicUrl: null,
      dataDir: '/users/ada/.studio',
      token: null,
      opensBrowser: false,
      isDev: false,
      hasOpenMetrics: false,
      mode: {
        kind: 'local',
        hasSample: true,
        databaseUrl: null,
        engine: null,
        models: [],
        enginePaths: [],
        runs: [],
        trainer: null,
        threads: null,
        gpu: 'auto',
        launchers: null,
        evaluators: { allowed: [], token: null },
        webhook: null,
        leaseSeconds: null,
      },
      warnings: [],
    });
  });
});

describe('flags', () => {
  it.each([
    [['--port', '8080'], { port: 8080 }],
    [['--port=0'], { port: 0 }],
    [['--port', '65535'], { port: 65_535 }],
    [['--host', 'localhost'], { host: 'localhost' }],
    [['--host', '[::1]'], { host: '::1' }],
    [['--data', 'here'], { dataDir: '/users/ada/here' }],
    [['--data', '/srv/studio'], { dataDir: '/srv/studio' }],
    [['--open'], { opensBrowser: true }],
    [['--dev'], { isDev: true }],
  ])('%j', (args, expected) => {
    expect(settingsOf(args)).toMatchObject(expected);
  });

  it('models may be given more than once', () => {
    expect(localOf(['--model', 'a=1.gguf', '--model', 'b=x=y.gguf']).models).toEqual(['a=1.gguf', 'b=x=y.gguf']);
  });

  it('the sample can be left out', () => {
    expect(localOf(['--no-sample']).hasSample).toBe(false);
  });

  it.each([['--help'], ['-h'], ['--help', '--port', 'rubbish']])('%s %s %s asks for help', (...args) => {
    expect(parseSettings(args.filter(Boolean), {}, '/').kind).toBe('help');
  });
});

describe('variables', () => {
  it.each([
    [{ PORT: '8080' }, { port: 8080 }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ STUDIO_DATA: '/srv' }, { dataDir: '/srv' }],
    [{ STUDIO_TOKEN: 'secret' }, { token: 'secret' }],
    [
      { PORT: '', HOST: '', STUDIO_DATA: '', STUDIO_TOKEN: '' },
      { port: 4600, host: '127.0.0.1', token: null },
    ],
  ])('%j', (environment, expected) => {
    expect(settingsOf([], environment)).toMatchObject(expected);
  });

  it('a flag stands before its variable', () => {
    expect(
      settingsOf(['--port', '1', '--host', 'localhost', '--data', '/a'], { PORT: '2', HOST: '::1', STUDIO_DATA: '/b' }),
    ).toMatchObject({ port: 1, host: 'localhost', dataDir: '/a' });
  });

  it('folders of the engine’s machine', () => {
    const engine = ['--engine', 'http://gpu:8000'];
    expect(localOf([...engine, '--engine-path', '/mnt/a=/data/a', '--engine-path', 'b=C:\\b'], {}).enginePaths).toEqual(
      [
        { here: '/mnt/a', there: '/data/a' },
        { here: expect.stringMatching(/b$/), there: 'C:\\b' },
      ],
    );
  });

  it('the database and the engine with its key', () => {
    expect(localOf([], { DATABASE_URL: 'postgres://u:p@db/studio' }).databaseUrl).toBe('postgres://u:p@db/studio');
    expect(localOf(['--engine', 'http://gpu:8000/v1'], { STUDIO_ENGINE_KEY: 'k' }).engine).toEqual({
      baseUrl: 'http://gpu:8000/v1',
      apiKey: 'k',
      named: [],
    });
    expect(localOf(['--engine', 'http://gpu:8000', '--engine-model', 'mine'], {}).engine?.named).toEqual(['mine']);
    expect(() => localOf(['--engine-model', 'mine'], {})).toThrow('Give its address with --engine');
    expect(localOf([], { STUDIO_ENGINE_URL: 'http://gpu:8000' }).engine).toEqual({
      baseUrl: 'http://gpu:8000/',
      apiKey: null,
      named: [],
    });
  });
});

const LONG = 'sixteen-letters-';

describe('the public address', () => {
  it.each([
    [['--public-url', 'https://studio.example.com'], {}, 'https://studio.example.com'],
    [['--public-url', 'HTTPS://Studio.Example.com:443/'], {}, 'https://studio.example.com'],
    [['--public-url=https://10.0.0.5:8443'], {}, 'https://10.0.0.5:8443'],
    [[], { STUDIO_PUBLIC_URL: 'https://studio.example.com' }, 'https://studio.example.com'],
    [['--public-url', 'https://a.example'], { STUDIO_PUBLIC_URL: 'https://b.example' }, 'https://a.example'],
  ])('%j %j', (args, environment, origin) => {
    const { publicUrl, warnings } = settingsOf([...args, '--host', '0.0.0.0'], { ...environment, STUDIO_TOKEN: LONG });
    expect(publicUrl?.origin).toBe(origin);
    expect(warnings).toEqual([]);
  });

  it('without TLS is warned of, unless it is of this machine', () => {
    expect(settingsOf(['--public-url', 'http://studio.lan']).warnings).toEqual([
      expect.stringMatching(/http:\/\/studio\.lan has no TLS/),
    ]);
    expect(settingsOf(['--public-url', 'http://localhost:8080']).warnings).toEqual([]);
  });

  it('warns where a key goes to another machine without TLS', () => {
    const warningsOf = (args: readonly string[], environment: Record<string, string>) =>
      settingsOf(args, environment).warnings;
    expect(warningsOf(['--base-url', 'http://10.0.0.5:4600'], { STUDIO_API_KEY: 'k' })).toEqual([
      'http://10.0.0.5:4600 has no TLS: on the way the remote token and all data can be read. Use an https:// address.',
    ]);
    expect(warningsOf(['--engine', 'http://gpu:8000/v1'], { STUDIO_ENGINE_KEY: 'k' })).toEqual([
      expect.stringContaining('its key and all conversations can be read'),
    ]);
    expect(warningsOf(['--engine', 'http://gpu:8000/v1'], {})).toEqual([]);
    for (const url of ['https://s.example.com', 'http://127.0.0.1:1', 'http://[::1]:1', 'http://localhost'])
      expect(warningsOf(['--base-url', url], { STUDIO_API_KEY: 'k' })).toEqual([]);
  });

  it('a short token is enough where only this machine reaches the studio', () => {
    expect(settingsOf(['--public-url', 'http://localhost:8080'], { STUDIO_TOKEN: 'short' }).token).toBe('short');
  });
});

describe('gateway', () => {
  const key = { STUDIO_API_KEY: 'remote-key' };

  it('takes the address by flag or variable, the key by variable', () => {
    expect(gatewayOf(['--base-url', 'https://studio.example'], key)).toMatchObject({
      apiKey: 'remote-key',
      baseUrl: new URL('https://studio.example/'),
    });
    expect(gatewayOf([], { ...key, STUDIO_BASE_URL: 'http://10.0.0.5:4600/team' }).baseUrl.href).toBe(
      'http://10.0.0.5:4600/team',
    );
  });

  it.each([
    ['https://studio.example/', '/'],
    ['https://studio.example/api', '/'],
    ['https://studio.example/api/v1/', '/'],
    ['https://studio.example/team/api/v1', '/team'],
    ['https://studio.example/team//', '/team'],
    ['https://studio.example/apiary', '/apiary'],
  ])('%s is the base %s', (url, path) => {
    expect(gatewayOf(['--base-url', url], key).baseUrl.pathname).toBe(path);
  });

  it('has nothing of a local studio', () => {
    for (const local of [['--model', 'a=b.gguf'], ['--engine', 'http://x'], ['--no-sample']]) {
      expect(problemOf(['--base-url', 'http://x', ...local], key)).toContain(local[0]);
    }
    expect(problemOf(['--base-url', 'http://x'], { ...key, STUDIO_ENGINE_URL: 'http://gpu' })).toMatch(
      /^STUDIO_ENGINE_URL belongs to a local studio/,
    );
    expect(gatewayOf(['--base-url', 'http://x'], { ...key, STUDIO_ENGINE_URL: '' }).kind).toBe('gateway');
    expect(gatewayOf(['--base-url', 'http://x'], { ...key, DATABASE_URL: 'postgres://x' }).kind).toBe('gateway');
  });
});

describe('what can not work is said in one line', () => {
  const table: [readonly string[], Environment, string][] = [
    [['--bogus'], {}, '--bogus'],
    [['-x'], {}, '-x'],
    [['--token', 'x'], {}, '--token'],
    [['--api-key=x'], {}, '--api-key'],
    [['--data-dir', 'x'], {}, 'There is no flag --data-dir. Did you mean --data?'],
    [['extra'], {}, '"extra"'],
    [['--port'], {}, '--port'],
    [['--open=yes'], {}, '--open'],
    [['--port', '65536'], {}, '--port'],
    [['--port', '-1'], {}, '--port'],
    [['--port', '80.5'], {}, '--port'],
    [['--port', ''], {}, '--port'],
    [['--port', '0x50'], {}, '--port'],
    [[], { PORT: 'http' }, 'PORT'],
    [['--host', '0.0.0.0'], {}, 'STUDIO_TOKEN'],
    [['--host', '::'], {}, 'STUDIO_TOKEN'],
    [['--host', 'studio.example'], {}, 'STUDIO_TOKEN'],
    [[], { HOST: '192.168.0.2' }, 'STUDIO_TOKEN'],
    [['--host', 'http://localhost'], {}, '--host'],
    [['--host', 'a b'], {}, '--host'],
    [['--base-url', 'studio.example'], { STUDIO_API_KEY: 'k' }, '--base-url'],
    [['--base-url', 'ftp://studio.example'], { STUDIO_API_KEY: 'k' }, '--base-url'],
    [['--base-url', 'file:///etc/passwd'], { STUDIO_API_KEY: 'k' }, '--base-url'],
    [['--base-url', 'http://x/?a=1'], { STUDIO_API_KEY: 'k' }, '--base-url'],
    [['--base-url', 'http://x/#a'], { STUDIO_API_KEY: 'k' }, '--base-url'],
    [['--base-url', 'http://x'], {}, 'STUDIO_API_KEY'],
    [['--base-url', 'http://x'], { STUDIO_API_KEY: '' }, 'STUDIO_API_KEY'],
    [['--base-url', 'http://x'], { STUDIO_API_KEY: 'k\n' }, 'STUDIO_API_KEY'],
    [[], { STUDIO_API_KEY: 'k' }, '--base-url'],
    [[], { STUDIO_API_KEY: 'k', STUDIO_BASE_URL: '' }, 'STUDIO_API_KEY'],
    [[], { STUDIO_BASE_URL: 'nonsense', STUDIO_API_KEY: 'k' }, 'STUDIO_BASE_URL'],
    [['--engine', 'gpu:8000'], {}, '--engine'],
    [['--engine', 'http://gpu', '--engine-path', '/mnt/a'], {}, '--engine-path'],
    [['--engine-path', '/mnt/a=/data/a'], {}, '--engine-path'],
    [[], { STUDIO_ENGINE_URL: 'gpu' }, 'STUDIO_ENGINE_URL'],
    [['--threads', '0'], {}, '--threads must be a number from 1 to 256'],
    [[], { STUDIO_THREADS: 'all' }, 'STUDIO_THREADS'],
    [['--model', 'file.gguf'], {}, '--model'],
    [['--model', '=file.gguf'], {}, '--model'],
    [['--model', 'id='], {}, '--model'],
    [[], { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    [['--host', '0.0.0.0'], { STUDIO_TOKEN: 'fifteen-letters' }, 'fewer than 16 characters'],
    [['--public-url', 'https://studio.example.com'], { STUDIO_TOKEN: 'short' }, 'fewer than 16 characters'],
    [['--public-url', 'studio.example.com'], {}, '--public-url'],
    [['--public-url', 'ftp://studio.example.com'], {}, '--public-url'],
    [['--public-url', ''], {}, '--public-url'],
    [['--public-url', 'https://'], {}, '--public-url'],
    [['--public-url', 'https://*.example.com'], {}, 'not "https://*.example.com"'],
    [['--public-url', 'https://studio example.com'], {}, 'not "https://studio example.com"'],
    [['--public-url', 'https://studio.example.com:99999'], {}, 'not "https://studio.example.com:99999"'],
    [['--public-url', 'https://[::1'], {}, 'not "https://[::1"'],
    [['--public-url', 'https://studio.example.com/team'], {}, 'without a path'],
    [['--public-url', 'https://studio.example.com/?a=1'], {}, 'a query'],
    [['--public-url', 'https://studio.example.com/#a'], {}, 'a fragment'],
    [['--public-url', 'https://ada@studio.example.com'], {}, 'name or password'],
    [[], { STUDIO_PUBLIC_URL: 'nonsense' }, 'STUDIO_PUBLIC_URL'],
    [[], { STUDIO_TOKEN: 'with space' }, 'STUDIO_TOKEN'],
    [[], { STUDIO_TOKEN: 'zeile\n' }, 'STUDIO_TOKEN'],
  ];

  it.each(table)('%j %j', (args, environment, mention) => {
    const message = problemOf(args, environment);
    expect(message).toContain(mention);
    expect(message).not.toContain('\n');
    expect(message.length).toBeLessThan(220);
  });

  it('a host other than loopback works with a token, and warns while there is no TLS', () => {
    const { host, warnings } = settingsOf(['--host', '0.0.0.0'], { STUDIO_TOKEN: LONG });
    expect(host).toBe('0.0.0.0');
    expect(warnings).toEqual([expect.stringMatching(/0\.0\.0\.0 without TLS.*--public-url/)]);
  });

  it('no message repeats a secret', () => {
    const secret = 'hunter2';
    const messages = [
      problemOf(['--base-url', `http://user:${secret}@x`], { STUDIO_API_KEY: 'k' }),
      problemOf(['--base-url', `ftp://user:${secret}@x`], { STUDIO_API_KEY: 'k' }),
      problemOf(['--public-url', `https://user:${secret}@x`]),
      problemOf(['--engine', `https://x/v1?key=${secret}`]),
      problemOf(['--webhook', `https://user:${secret}@x`]),
      problemOf(['--webhook', `http://x/services/${secret}?key=${secret}`]),
      problemOf(['--webhook', `hooks.example.com/services/${secret}`]),
      problemOf([], { STUDIO_WEBHOOK: 'https://x', STUDIO_WEBHOOK_SECRET: secret }),
      problemOf(['--host', '0.0.0.0'], { STUDIO_TOKEN: secret }),
      problemOf([], { STUDIO_TOKEN: `${secret} x` }),
      problemOf([], { STUDIO_API_KEY: secret }),
      problemOf(['--base-url', 'http://x'], { STUDIO_API_KEY: `${secret}\t` }),
      problemOf([], { DATABASE_URL: `mysql://u:${secret}@x` }),
    ];
    for (const message of messages) expect(message).not.toContain(secret);
  });
});
