// Flags and environment -> settings, or one line that says what is wrong with them. Pure.
// Secrets come from the environment only: a flag would show them in the process list.
import { delimiter, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { GpuChoice } from '#engine/llamaRuntime.ts';
import { toPlainHttpWarnings } from './plainHttp.ts';
import type { UpstreamOptions } from '#engine/upstream/upstreamEngine.ts';
import type { PathMap } from '#features/serving/server/engineLoader.ts';
import { toTrainerCommand } from '#features/training/server/trainers/namedTrainers.ts';
import { parseCommand } from '#features/training/server/commandLine.ts';
import { isLoopback, toHostname } from '#service/http/hosts.ts';
import { COMMAND } from './projectRoot.ts';

export interface LocalSettings {
  readonly kind: 'local';
  readonly hasSample: boolean;
  readonly databaseUrl: string | null;
  readonly engine: Pick<UpstreamOptions, 'baseUrl' | 'apiKey' | 'named'> | null;
  /** Values of --model, each `ID=FILE.gguf`. */
  readonly models: readonly string[];
  /** Folders here, and the same folders on the machine of the engine. */
  readonly enginePaths: readonly PathMap[];
  /** Folders with runs of other trainers, absolute. */
  readonly runs: readonly string[];
  /** The words of --trainer; null: none was given. `none`: nothing trains on this machine. */
  readonly trainer: readonly string[] | 'none' | null;
  readonly gpu: GpuChoice;
  /** How long a job stays with a service that is silent; null: as the studio has it. */
  readonly leaseSeconds: number | null;
}

export interface GatewaySettings {
  readonly kind: 'gateway';
  readonly baseUrl: URL;
  readonly apiKey: string;
}

export interface Settings {
  readonly port: number;
  readonly host: string;
  /** The origin that people open, if it differs from the address that the studio listens on. */
  readonly publicUrl: URL | null;
  /** Absolute. */
  readonly dataDir: string;
  /** Null: the service makes one and stores it in the data folder. */
  readonly token: string | null;
  readonly opensBrowser: boolean;
  readonly isDev: boolean;
  /** Whether `GET /metrics` needs no token. */
  readonly hasOpenMetrics: boolean;
  readonly mode: LocalSettings | GatewaySettings;
  /** Risks that don't stop the start but that the operator should know; one line each. */
  readonly warnings: readonly string[];
}

export type ParsedSettings =
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'problem'; readonly message: string };

export type Environment = Readonly<Record<string, string | undefined>>;

export class FlagProblem extends Error {}

export const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  'public-url': { type: 'string' },
  data: { type: 'string' },
  'base-url': { type: 'string' },
  engine: { type: 'string' },
  model: { type: 'string', multiple: true },
  runs: { type: 'string', multiple: true },
  'engine-model': { type: 'string', multiple: true },
  'engine-path': { type: 'string', multiple: true },
  trainer: { type: 'string' },
  gpu: { type: 'string' },
  'no-sample': { type: 'boolean' },
  open: { type: 'boolean' },
  metrics: { type: 'boolean' },
  dev: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

const MIN_PUBLIC_TOKEN = 16;

const HINT = `"${COMMAND} --help" lists what there is.`;

export function readFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const unknown = /^Unknown option '([^']+)'/.exec(text)?.[1];
    const near = Object.keys(OPTIONS).find((name) => unknown?.startsWith(`--${name}-`));
    const meant = near === undefined ? '' : ` Did you mean --${near}?`;
    if (unknown) throw new FlagProblem(`There is no flag ${unknown}.${meant} ${HINT}`);
    const stray = /^Unexpected argument '([^']*)'/.exec(text)?.[1];
    if (stray !== undefined) throw new FlagProblem(`"${stray}" is not a flag. ${HINT}`);
    throw new FlagProblem(`${text.split('\n')[0]?.replace(/\.?$/, '.')} ${HINT}`);
  }
}

/** A flag, else a variable that is not empty, with the name to use in messages. */
function pick(
  flag: string | undefined,
  flagName: string,
  environment: Environment,
  variable: string,
): { value: string; name: string } | null {
  if (flag !== undefined) return { value: flag, name: flagName };
  const value = environment[variable];
  return value ? { value, name: variable } : null;
}

function toPort(setting: { value: string; name: string } | null): number {
  if (!setting) return 4600;
  const port = /^\d{1,5}$/.test(setting.value) ? Number(setting.value) : Number.NaN;
  if (!(port <= MAX_PORT))
    throw new FlagProblem(
      `${setting.name} must be a port number from 0 to 65535 (0 takes a free one), not "${setting.value}".`,
    );
  return port;
}

/** An http(s) URL of a server, without credentials, query or fragment. */
export function toServerUrl(setting: { value: string; name: string }): URL {
  const url = URL.canParse(setting.value) ? new URL(setting.value) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new FlagProblem(
      `${setting.name} must be a URL that begins with http:// or https://, not ` +
        `"${url?.username || url?.password ? url.protocol : setting.value}".`,
    );
  }
  if (url.username || url.password)
    throw new FlagProblem(
      `${setting.name} must not hold a name or password; keys go into STUDIO_API_KEY or STUDIO_ENGINE_KEY.`,
    );
  if (url.search || url.hash)
    throw new FlagProblem(`${setting.name} must not have a query or fragment: give the address of the server alone.`);
  return url;
}

function toHost(setting: { value: string; name: string } | null, token: string | null): string {
  if (!setting) return '127.0.0.1';
  const host = setting.value.replace(/^\[|\]$/g, '');
  if (toHostname(host.includes(':') ? `[${host}]` : host) === null)
    throw new FlagProblem(`${setting.name} must be a host name or an address, not "${setting.value}".`);
  if (!isLoopback(host) && token === null) {
    throw new FlagProblem(
      `${setting.name} ${host} opens the studio to other machines, so it needs a token that you set: put one into ` +
        'STUDIO_TOKEN.',
    );
  }
  return host;
}

const MAX_PORT = 65_535;
const PUBLIC_URL_FORM = 'give the address of the studio alone, such as https://studio.example.com';

/** The origin that people open. Its scheme decides whether the cookie is for TLS only. */
function toPublicUrl(setting: { value: string; name: string } | null): URL | null {
  if (!setting) return null;
  const { value, name } = setting;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.username || url?.password)
    throw new FlagProblem(`${name} must not hold a name or password: ${PUBLIC_URL_FORM}.`);
  const isWeb = /^https?:\/\//i.test(value);
  const [, port] = /^[^/]*\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(value) ?? [];
  if (isWeb && port !== undefined && Number(port) > MAX_PORT)
    throw new FlagProblem(`${name}: the port ${port} is above ${MAX_PORT}: ${PUBLIC_URL_FORM}.`);
  const host = url?.host ?? /^[^/]*\/\/([^/?#]*)/.exec(value)?.[1] ?? '';
  if (isWeb && host !== '' && (!url || toHostname(host) === null)) {
    throw new FlagProblem(
      host.includes('@')
        ? `${name} must not hold a name or password: ${PUBLIC_URL_FORM}.`
        : `${name}: the host "${host}" is no name of a machine, nor an address: ${PUBLIC_URL_FORM}.`,
    );
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new FlagProblem(
      `${name} must be a URL that begins with https:// (or http://), not "${value}": ${PUBLIC_URL_FORM}.`,
    );
  }
  if (url.pathname !== '/' || url.search || url.hash) {
    throw new FlagProblem(
      `${name} must not have a path, a query or a fragment, for the studio is served at the root: ${PUBLIC_URL_FORM}.`,
    );
  }
  return url;
}

/** Of what this studio sends to others. */
function toSentWarnings(mode: Settings['mode']): readonly string[] {
  if (mode.kind === 'gateway') return toPlainHttpWarnings(mode.baseUrl, 'the remote token and all data can be read');
  const { engine } = mode;
  if (engine === null || engine.apiKey === null) return [];
  return toPlainHttpWarnings(new URL(engine.baseUrl), 'its key and all conversations can be read');
}

/** Warns when somebody on the network can read or try the token. */
function toWarnings({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): readonly string[] {
  if (publicUrl?.protocol === 'https:') return [];
  if (publicUrl !== null && !isLoopback(publicUrl.hostname)) {
    return [
      `${publicUrl.origin} has no TLS: the token and all data can be read on the way. ` +
        'Use a proxy with TLS and an https:// address.',
    ];
  }
  if (isLoopback(host)) return [];
  return [
    `The studio listens on ${host} without TLS: the token and all data can be read on the way. ` +
      'Put a proxy with TLS before it, and give its address with --public-url https://...',
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

const LOCAL_FLAGS = ['engine', 'engine-model', 'engine-path', 'model', 'runs', 'trainer', 'gpu', 'no-sample'] as const;

function toGateway(
  base: { value: string; name: string },
  flags: ReturnType<typeof readFlags>,
  environment: Environment,
): GatewaySettings {
  const baseUrl = toServerUrl(base);
  // People copy the API's address; the service adds the path below the root itself.
  baseUrl.pathname = baseUrl.pathname.replace(/\/+$/, '').replace(/\/api(?:\/v1)?$/, '');
  const flag = LOCAL_FLAGS.find((name) => flags[name] !== undefined);
  const variable = ['STUDIO_ENGINE_URL', 'STUDIO_RUNS', 'STUDIO_TRAINER', 'STUDIO_GPU'].find(
    (name) => environment[name],
  );
  const local = flag ? `--${flag}` : variable;
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
export function toRunFolders(
  flags: ReturnType<typeof readFlags>,
  environment: Environment,
  cwd: string,
): readonly string[] {
  const written = flags.runs ?? (environment['STUDIO_RUNS'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return written.map((folder) => {
    if (folder.trim() === '') throw new FlagProblem('--runs must be a folder, not an empty text.');
    if (folder.includes('\0')) throw new FlagProblem('--runs must be a folder; its path holds a zero byte.');
    // A shell does not replace `~` after `=`.
    const home = environment['HOME'] ?? environment['USERPROFILE'];
    const isHome = home !== undefined && (folder === '~' || folder.startsWith('~/'));
    return resolve(cwd, isHome ? `${home}${folder.slice(1)}` : folder);
  });
}

/** `--engine-path HERE=THERE`. Linux allows `=` in a path; the first one that parts two absolute paths counts. */
function toEnginePaths(flags: ReturnType<typeof readFlags>, cwd: string): readonly PathMap[] {
  return (flags['engine-path'] ?? []).map((value) => {
    const [, here, there] = /^(.+?)=([/\\].*|[A-Za-z]:.*)$/.exec(value) ?? [];
    if (here === undefined || there === undefined)
      throw new FlagProblem(
        `--engine-path must be HERE=THERE, such as /mnt/runs=/data/runs with an absolute path of the engine's machine, ` +
          `not "${value}".`,
      );
    return { here: resolve(cwd, here), there };
  });
}

const MAX_LEASE_SECONDS = 3_600;

/** STUDIO_LEASE_SECONDS: whole seconds. */
function toLeaseSeconds(environment: Environment): number | null {
  const value = environment['STUDIO_LEASE_SECONDS'];
  if (!value) return null;
  const seconds = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  if (!(seconds >= 1 && seconds <= MAX_LEASE_SECONDS))
    throw new FlagProblem(
      `STUDIO_LEASE_SECONDS must be a whole number of seconds from 1 to ${MAX_LEASE_SECONDS}, not "${value}".`,
    );
  return seconds;
}

/** Instead of a command: only workers train. A program of this name is `./none`. */
const NO_TRAINER = 'none';

/** The words of the command of `--trainer`, which may begin with the name of a framework. A program that is a path is taken from `cwd`. */
export function toTrainer(setting: { value: string; name: string } | null, cwd: string): readonly string[] | null {
  if (!setting) return null;
  try {
    return toTrainerCommand(parseCommand(setting.value), cwd);
  } catch (error) {
    throw new FlagProblem(
      `${setting.name} must be a command, such as "python train.py", but ${error instanceof Error ? error.message : 'is not'}.`,
    );
  }
}

function toGpu(setting: { value: string; name: string } | null): GpuChoice {
  if (!setting) return 'auto';
  if (setting.value === 'auto' || setting.value === 'off') return setting.value;
  throw new FlagProblem(
    `${setting.name} must be "auto", which uses a graphics card whose package is installed, or "off", not "${setting.value}".`,
  );
}

const toEngine = (baseUrl: string, flags: ReturnType<typeof readFlags>, environment: Environment) => ({
  baseUrl,
  apiKey: environment['STUDIO_ENGINE_KEY'] || null,
  named: flags['engine-model'] ?? [],
});

function toLocal(flags: ReturnType<typeof readFlags>, environment: Environment, cwd: string): LocalSettings {
  if (environment['STUDIO_API_KEY']) {
    throw new FlagProblem(
      'STUDIO_API_KEY is the token of a remote studio, but there is no address: give it with --base-url, or ' +
        'unset the key for a local studio.',
    );
  }
  const engine = pick(flags.engine, '--engine', environment, 'STUDIO_ENGINE_URL');
  const lone = (['engine-model', 'engine-path'] as const).find((name) => !engine && flags[name] !== undefined);
  if (lone) throw new FlagProblem(`--${lone} says more of the server of --engine. Give its address with --engine.`);
  const models = flags.model ?? [];
  const wrong = models.find((value) => !/^[^=]+=.+$/.test(value));
  if (wrong !== undefined) throw new FlagProblem(`--model must be ID=FILE.gguf, not "${wrong}".`);
  const trainer = pick(flags.trainer, '--trainer', environment, 'STUDIO_TRAINER');
  const databaseUrl = environment['DATABASE_URL'] || null;
  if (databaseUrl !== null && !/^postgres(?:ql)?:\/\//.test(databaseUrl)) {
    throw new FlagProblem('DATABASE_URL must be a PostgreSQL address that begins with postgres:// or postgresql://.');
  }
  return {
    kind: 'local',
    hasSample: flags['no-sample'] !== true,
    databaseUrl,
    engine: engine && toEngine(toServerUrl(engine).href, flags, environment),
    models,
    enginePaths: toEnginePaths(flags, cwd),
    runs: toRunFolders(flags, environment, cwd),
    trainer: trainer?.value.trim() === NO_TRAINER ? NO_TRAINER : toTrainer(trainer, cwd),
    gpu: toGpu(pick(flags.gpu, '--gpu', environment, 'STUDIO_GPU')),
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

/** Reads flags and the environment. Never throws; relative folders are taken from `cwd`. */
export function parseSettings(args: readonly string[], environment: Environment, cwd: string): ParsedSettings {
  try {
    const flags = readFlags(args);
    if (flags.help) return { kind: 'help' };
    if (flags.version) return { kind: 'version' };
    const token = toToken(environment);
    const base = pick(flags['base-url'], '--base-url', environment, 'STUDIO_BASE_URL');
    const host = toHost(pick(flags.host, '--host', environment, 'HOST'), token);
    const publicUrl = toPublicUrl(pick(flags['public-url'], '--public-url', environment, 'STUDIO_PUBLIC_URL'));
    checkTokenLength(token, { host, publicUrl });
    const mode = base ? toGateway(base, flags, environment) : toLocal(flags, environment, cwd);
    const settings: Settings = {
      port: toPort(pick(flags.port, '--port', environment, 'PORT')),
      host,
      publicUrl,
      dataDir: resolve(cwd, pick(flags.data, '--data', environment, 'STUDIO_DATA')?.value ?? '.studio'),
      token,
      opensBrowser: flags.open === true,
      isDev: flags.dev === true,
      hasOpenMetrics: flags.metrics === true,
      mode,
      warnings: [...toWarnings({ host, publicUrl }), ...toSentWarnings(mode)],
    };
    return { kind: 'settings', settings };
  } catch (error) {
    if (error instanceof FlagProblem) return { kind: 'problem', message: error.message };
    throw error;
  }
}
