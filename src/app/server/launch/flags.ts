// Flags and environment -> settings, or one line that says what is wrong with them. Pure.
// Secrets come from the environment only: a flag would show them in the process list.
import { delimiter, resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { DEFAULT_PORT } from '#app/server/defaultPort.ts';
import type { GpuChoice } from '#engine/llamaRuntime.ts';
import type { PathMap } from '#features/serving/server/engineLoader.ts';
import { toTrainerCommand } from '#features/training/server/trainers/namedTrainers.ts';
import { parseCommand } from '#features/training/server/commandLine.ts';
import { isLoopback, toHostname } from '#service/http/allowedHosts.ts';
import { toListenWarnings, toPlainHttpWarnings } from './plainHttp.ts';
import { COMMAND } from './projectRoot.ts';
import type { GatewaySettings, LocalSettings, Settings } from './settings.ts';
import { FlagProblem, refuse, toServerUrl, toSigningKey, toUrl, toWebhookUrl, type Setting } from './urlFlags.ts';

export type ParsedSettings =
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

export type Environment = Readonly<Record<string, string | undefined>>;

const text = { type: 'string' } as const;
const list = { type: 'string', multiple: true } as const;
const isSet = { type: 'boolean' } as const;

export const OPTIONS = {
  port: text,
  host: text,
  'public-url': text,
  data: text,
  'base-url': text,
  engine: text,
  model: list,
  runs: list,
  'engine-model': list,
  'engine-path': list,
  trainer: text,
  threads: text,
  launchers: text,
  evaluator: list,
  webhook: text,
  gpu: text,
  'no-sample': isSet,
  open: isSet,
  metrics: isSet,
  dev: isSet,
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** What does the same as a flag. */
const VARIABLES = {
  port: 'PORT',
  host: 'HOST',
  'public-url': 'STUDIO_PUBLIC_URL',
  'base-url': 'STUDIO_BASE_URL',
  engine: 'STUDIO_ENGINE_URL',
  trainer: 'STUDIO_TRAINER',
  threads: 'STUDIO_THREADS',
  launchers: 'STUDIO_LAUNCHERS',
  webhook: 'STUDIO_WEBHOOK',
  gpu: 'STUDIO_GPU',
} as const;

/** Flags and variables that a gateway has none of. */
const OF_LOCAL = [
  'engine',
  'engine-model',
  'engine-path',
  'evaluator',
  'model',
  'runs',
  'trainer',
  'threads',
  'launchers',
  'webhook',
  'gpu',
  'no-sample',
] as const;
const VARIABLES_OF_LOCAL = [
  'STUDIO_ENGINE_URL',
  'STUDIO_RUNS',
  'STUDIO_TRAINER',
  'STUDIO_THREADS',
  'STUDIO_LAUNCHERS',
  'STUDIO_WEBHOOK',
  'STUDIO_GPU',
] as const;

const MIN_PUBLIC_TOKEN = 16;

/** Throws FlagProblem, which ends with `hint`. */
export function parseFlags<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  hint: string,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const unknown = /^Unknown option '([^']+)'/.exec(said)?.[1];
    const near = Object.keys(options).find((name) => unknown?.startsWith(`--${name}-`));
    const meant = near === undefined ? '' : ` Did you mean --${near}?`;
    if (unknown) throw new FlagProblem(`There is no flag ${unknown}.${meant} ${hint}`);
    const stray = /^Unexpected argument '([^']*)'/.exec(said)?.[1];
    if (stray !== undefined) throw new FlagProblem(`"${stray}" is not a flag. ${hint}`);
    throw new FlagProblem(`${said.split('\n')[0]?.replace(/\.?$/, '.')} ${hint}`);
  }
}

export const readFlags = (args: readonly string[]) =>
  parseFlags(args, OPTIONS, `"${COMMAND} --help" lists what there is.`).values;
type Flags = ReturnType<typeof readFlags>;

/** A flag, else its variable unless that is empty; null: neither was given. */
function pick(name: keyof typeof VARIABLES, flags: Flags, environment: Environment): Setting | null {
  const given = flags[name];
  if (given !== undefined) return { value: given, name: `--${name}` };
  const value = environment[VARIABLES[name]];
  return value ? { value, name: VARIABLES[name] } : null;
}

function toPort(setting: Setting | null): number {
  if (!setting) return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(setting.value) ? Number(setting.value) : Number.NaN;
  return port <= 65_535 ? port : refuse(setting, 'a port number from 0 to 65535 (0 takes a free one)');
}

/** The origin that people open. Its scheme decides whether the cookie is for TLS only. */
function toPublicUrl(setting: Setting | null): URL | null {
  if (!setting) return null;
  const form = 'the address of the studio alone, such as https://studio.example.com';
  const url = toUrl(setting, form);
  return url.pathname === '/' ? url : refuse(setting, `${form}, without a path, for the studio is served at the root`);
}

function toHost(setting: Setting | null, token: string | null): string {
  if (!setting) return '127.0.0.1';
  const host = setting.value.replace(/^\[|\]$/g, '');
  if (toHostname(host.includes(':') ? `[${host}]` : host) === null) refuse(setting, 'a host name or an address');
  if (!isLoopback(host) && token === null) {
    throw new FlagProblem(
      `${setting.name} ${host} opens the studio to other machines, so it needs a token that you set: put one into ` +
        'STUDIO_TOKEN.',
    );
  }
  return host;
}

/** Of what this studio sends to others. */
function toSentWarnings(mode: Settings['mode']): readonly string[] {
  if (mode.kind === 'gateway') return toPlainHttpWarnings(mode.baseUrl, 'the remote token and all data can be read');
  const { engine, evaluators } = mode;
  return [
    ...(engine === null || engine.apiKey === null
      ? []
      : toPlainHttpWarnings(new URL(engine.baseUrl), 'its key and all conversations can be read')),
    ...evaluators.allowed.flatMap(({ url }) =>
      toPlainHttpWarnings(new URL(url), 'the evaluator’s token and all judged answers can be read'),
    ),
  ];
}

/** The right token is never throttled, so a token that others can try must be too long to guess. */
function checkTokenLength(token: string | null, { host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): void {
  const isPublic = !isLoopback(host) || (publicUrl !== null && !isLoopback(publicUrl.hostname));
  if (token === null || !isPublic || token.length >= MIN_PUBLIC_TOKEN) return;
  throw new FlagProblem(
    `STUDIO_TOKEN has fewer than ${MIN_PUBLIC_TOKEN} characters. Where other machines reach the studio it must be ` +
      'too long to be guessed: make one with "openssl rand -hex 32".',
  );
}

function toGateway(base: Setting, flags: Flags, environment: Environment): GatewaySettings {
  const baseUrl = toServerUrl(base);
  // People copy the API's address; the service adds the path below the root itself.
  baseUrl.pathname = baseUrl.pathname.replace(/\/+$/, '').replace(/\/api(?:\/v1)?$/, '');
  const flag = OF_LOCAL.find((name) => flags[name] !== undefined);
  const local = flag ? `--${flag}` : VARIABLES_OF_LOCAL.find((name) => environment[name]);
  if (local)
    throw new FlagProblem(
      `${local} belongs to a local studio and can't be used with ${base.name}, which passes everything on to a ` +
        'remote one.',
    );
  const apiKey = environment['STUDIO_API_KEY'];
  if (!apiKey) throw new FlagProblem(`${base.name} needs the remote studio's token: put it into STUDIO_API_KEY.`);
  if (!/^[\u0021-\u007e]+$/.test(apiKey))
    throw new FlagProblem('STUDIO_API_KEY holds characters that no token has. Check it for spaces and line ends.');
  return { kind: 'gateway', baseUrl, apiKey };
}

/** `--runs` repeated, else the folders of STUDIO_RUNS, separated as in PATH. */
export function toRunFolders(flags: Flags, environment: Environment, cwd: string): readonly string[] {
  const written = flags.runs ?? (environment['STUDIO_RUNS'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return written.map((folder) => {
    if (folder.trim() === '' || folder.includes('\0'))
      throw new FlagProblem('--runs must be a folder, not an empty text or one with a zero byte.');
    // A shell does not replace `~` after `=`.
    const home = environment['HOME'] ?? environment['USERPROFILE'];
    const isHome = home !== undefined && (folder === '~' || folder.startsWith('~/'));
    return resolve(cwd, isHome ? `${home}${folder.slice(1)}` : folder);
  });
}

/** `--engine-path HERE=THERE`. Linux allows `=` in a path; the first one that parts two absolute paths counts. */
function toEnginePath(value: string, cwd: string): PathMap {
  const [, here, there] = /^(.+?)=([/\\].*|[A-Za-z]:.*)$/.exec(value) ?? [];
  if (here === undefined || there === undefined)
    return refuse(
      { name: '--engine-path', value },
      "HERE=THERE, such as /mnt/runs=/data/runs with an absolute path of the engine's machine",
    );
  return { here: resolve(cwd, here), there };
}

const MAX_LEASE_SECONDS = 3_600;

function toLeaseSeconds(environment: Environment): number | null {
  const value = environment['STUDIO_LEASE_SECONDS'];
  if (!value) return null;
  const seconds = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  return seconds >= 1 && seconds <= MAX_LEASE_SECONDS
    ? seconds
    : refuse({ name: 'STUDIO_LEASE_SECONDS', value }, `a whole number of seconds from 1 to ${MAX_LEASE_SECONDS}`);
}

/** Instead of a command: only workers train. A program of this name is `./none`. */
const NO_TRAINER = 'none';

/** The words of the command of `--trainer`, which may begin with the name of a framework. A program that is a path is taken from `cwd`. */
export function toTrainer(setting: Setting | null, cwd: string): readonly string[] | null {
  if (!setting) return null;
  try {
    return toTrainerCommand(parseCommand(setting.value), cwd);
  } catch (error) {
    throw new FlagProblem(
      `${setting.name} must be a command, such as "python train.py", but ${error instanceof Error ? error.message : 'is not'}.`,
    );
  }
}

const MAX_THREADS = 256;

export function toThreads(setting: Setting | null): number | null {
  if (!setting) return null;
  const threads = /^\d{1,3}$/.test(setting.value) ? Number(setting.value) : Number.NaN;
  return threads >= 1 && threads <= MAX_THREADS ? threads : refuse(setting, `a number from 1 to ${MAX_THREADS}`);
}

function toGpu(setting: Setting | null): GpuChoice {
  const { value } = setting ?? { value: 'auto' };
  if (value === 'auto' || value === 'off') return value;
  return refuse(
    { name: '', value, ...setting },
    '"auto", which uses a graphics card whose package is installed, or "off"',
  );
}

/** `--evaluator NAME=URL`, each name once. */
function toEvaluators(flags: Flags, environment: Environment): LocalSettings['evaluators'] {
  const allowed = (flags.evaluator ?? []).map((value) => {
    const [, name, url] = /^([\w.-]{1,60})=(.+)$/.exec(value) ?? [];
    const setting = { name: '--evaluator', value };
    if (name === undefined || url === undefined)
      return refuse(
        setting,
        'NAME=URL, such as tone=http://127.0.0.1:9000/score, its name of letters, digits, . _ and -',
      );
    return { name, url: toServerUrl({ ...setting, value: url }).href };
  });
  const twin = allowed.find(({ name }, at) => allowed.findIndex((other) => other.name === name) < at);
  if (twin) throw new FlagProblem(`--evaluator names ${twin.name} twice. Give each a name of its own.`);
  return { allowed, token: environment['STUDIO_EVALUATOR_TOKEN'] || null };
}

function toLocal(flags: Flags, environment: Environment, cwd: string): LocalSettings {
  if (environment['STUDIO_API_KEY']) {
    throw new FlagProblem(
      'STUDIO_API_KEY is the token of a remote studio, but there is no address: give it with --base-url, or ' +
        'unset the key for a local studio.',
    );
  }
  const engine = pick('engine', flags, environment);
  const lone = (['engine-model', 'engine-path'] as const).find((name) => !engine && flags[name] !== undefined);
  if (lone) throw new FlagProblem(`--${lone} says more of the server of --engine. Give its address with --engine.`);
  const models = flags.model ?? [];
  const wrong = models.find((value) => !/^[^=]+=.+$/.test(value));
  if (wrong !== undefined) refuse({ name: '--model', value: wrong }, 'ID=FILE.gguf');
  const trainer = pick('trainer', flags, environment);
  const launchers = pick('launchers', flags, environment);
  const webhook = pick('webhook', flags, environment);
  const databaseUrl = environment['DATABASE_URL'] || null;
  if (databaseUrl !== null && !/^postgres(?:ql)?:\/\//.test(databaseUrl)) {
    throw new FlagProblem('DATABASE_URL must be a PostgreSQL address that begins with postgres:// or postgresql://.');
  }
  return {
    kind: 'local',
    hasSample: flags['no-sample'] !== true,
    databaseUrl,
    engine: engine && {
      baseUrl: toServerUrl(engine).href,
      apiKey: environment['STUDIO_ENGINE_KEY'] || null,
      named: flags['engine-model'] ?? [],
    },
    models,
    enginePaths: (flags['engine-path'] ?? []).map((value) => toEnginePath(value, cwd)),
    runs: toRunFolders(flags, environment, cwd),
    trainer: trainer?.value.trim() === NO_TRAINER ? NO_TRAINER : toTrainer(trainer, cwd),
    threads: toThreads(pick('threads', flags, environment)),
    launchers: launchers && resolve(cwd, launchers.value),
    gpu: toGpu(pick('gpu', flags, environment)),
    evaluators: toEvaluators(flags, environment),
    webhook: webhook && { url: toWebhookUrl(webhook), key: toSigningKey(environment['STUDIO_WEBHOOK_SECRET']) },
    leaseSeconds: toLeaseSeconds(environment),
  };
}

function toToken(environment: Environment): string | null {
  const token = environment['STUDIO_TOKEN'] || null;
  if (token !== null && !/^[\u0021-\u007e]+$/.test(token)) {
    throw new FlagProblem(
      'STUDIO_TOKEN must be letters, digits and punctuation without spaces: it is sent in a header.',
    );
  }
  return token;
}

/** Reads flags and the environment; relative folders are taken from `cwd`. Throws FlagProblem. */
export function parseSettings(args: readonly string[], environment: Environment, cwd: string): ParsedSettings {
  const flags = readFlags(args);
  if (flags.help) return { kind: 'help' };
  if (flags.version) return { kind: 'version' };
  const token = toToken(environment);
  const base = pick('base-url', flags, environment);
  const host = toHost(pick('host', flags, environment), token);
  const publicUrl = toPublicUrl(pick('public-url', flags, environment));
  checkTokenLength(token, { host, publicUrl });
  const mode = base ? toGateway(base, flags, environment) : toLocal(flags, environment, cwd);
  const settings: Settings = {
    port: toPort(pick('port', flags, environment)),
    host,
    publicUrl,
    dataDir: toDataDir(flags.data, environment, cwd),
    token,
    opensBrowser: flags.open === true,
    isDev: flags.dev === true,
    hasOpenMetrics: flags.metrics === true,
    mode,
    warnings: [...toListenWarnings({ host, publicUrl }), ...toSentWarnings(mode)],
  };
  return { kind: 'settings', settings };
}

export const toDataDir = (given: string | undefined, environment: Environment, cwd: string): string =>
  resolve(cwd, given ?? (environment['STUDIO_DATA'] || '.studio'));
