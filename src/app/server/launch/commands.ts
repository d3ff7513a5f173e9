// The command line: what to do, and with which settings. Pure.
import { resolve } from 'node:path';
import type { TokenAction, TokenCommand } from '#features/access/server/tokenCommand.ts';
import { isTokenName } from '#features/access/server/tokens.ts';
import {
  OPTIONS,
  parseFlags,
  parseSettings,
  readFlags,
  toDataDir,
  toRunFolders,
  toThreads,
  toTrainer,
  type Environment,
  type ParsedSettings,
} from './flags.ts';
import { isUuid } from '#core/contract/uuid.ts';
import { toPlainHttpWarnings } from './plainHttp.ts';
import type { Settings } from './settings.ts';
import { FlagProblem, toServerUrl } from './urlFlags.ts';
import { GPU_KINDS, type GpuKind } from './installGpu.ts';
import { ERROR_CODE } from '#app/server/eval/evalReport.ts';
import type { EvalQuestion } from '#app/server/eval/evalRun.ts';
import type { GateRule } from '#features/evaluation/shared/gate.ts';
import { COMMAND } from './projectRoot.ts';

export type Command =
  /** Starts the studio. */
  | ParsedSettings
  /** What is wrong with the words. */
  | { readonly kind: 'problem'; readonly message: string; readonly exitCode: number }
  /** `doctor`: looks at what a start with these settings would need. */
  | { readonly kind: 'doctor'; readonly settings: Settings }
  /** `doctor --runs DIR`: says what the studio finds in these folders. */
  | { readonly kind: 'examine'; readonly runs: readonly string[] }
  /** `gpu`: installs llama.cpp's package for a graphics card; null: for the one that is there. */
  | { readonly kind: 'gpu'; readonly card: GpuKind | null }
  /** `worker`: trains for a studio on another machine. */
  | { readonly kind: 'worker'; readonly worker: WorkerSettings }
  /** `mcp`: serves a studio to an assistant. */
  | { readonly kind: 'mcp'; readonly studio: StudioAddress }
  /** `eval`: whether models are good enough. */
  | { readonly kind: 'eval'; readonly settings: EvalSettings }
  /** `token add|list|revoke`. */
  | { readonly kind: 'token'; readonly command: TokenCommand };

function parseDoctor(args: readonly string[], environment: Environment, cwd: string): Command {
  const flags = readFlags(args);
  const given = Object.keys(flags);
  if (given.length === 1 && given[0] === 'runs')
    return { kind: 'examine', runs: toRunFolders(flags, environment, cwd) };
  const parsed = parseSettings(args, environment, cwd);
  return parsed.kind === 'settings' ? { kind: 'doctor', settings: parsed.settings } : parsed;
}

const TOKEN_USAGE = `Write it as "${COMMAND} token add NAME [--read-only]", "token list" or "token revoke NAME".`;

function checkName(what: string, name: string): void {
  if (!isTokenName(name))
    throw new FlagProblem(
      `${what} has 1 to 60 letters, digits, spaces or . _ @ + -, begins with a letter or a digit, and is not Owner: so the ` +
        'page calls whoever has the own token of the studio.',
    );
}

function toTokenAction(words: readonly string[], isReadOnly: boolean): TokenAction {
  const [kind, name, ...more] = words;
  if (more.length > 0) throw new FlagProblem(`"${more[0]}" is one word too many. ${TOKEN_USAGE}`);
  if (isReadOnly && kind !== 'add') throw new FlagProblem(`--read-only belongs to "token add". ${TOKEN_USAGE}`);
  if (kind === 'list' && name === undefined) return { kind };
  if (kind !== 'add' && kind !== 'revoke') throw new FlagProblem(`token needs to know what to do. ${TOKEN_USAGE}`);
  if (name === undefined) throw new FlagProblem(`token ${kind} needs a name. ${TOKEN_USAGE}`);
  if (kind === 'revoke') return { kind, name };
  checkName('The name of a token', name);
  return { kind, name, isReadOnly };
}

function parseToken(args: readonly string[], environment: Environment, cwd: string): Command {
  const options = { data: { type: 'string' }, 'read-only': { type: 'boolean' }, help: OPTIONS.help } as const;
  const { values, positionals } = parseFlags(args, options, TOKEN_USAGE, true);
  if (values.help) return { kind: 'help' };
  return {
    kind: 'token',
    command: {
      action: toTokenAction(positionals, values['read-only'] === true),
      dataDir: toDataDir(values.data, environment, cwd),
      databaseUrl: environment['DATABASE_URL'] || null,
    },
  };
}

/** A running studio. */
interface Studio {
  readonly studio: URL;
  /** Risks that the operator should know; one line each. */
  readonly warnings: readonly string[];
}

/** The same, with the file of the token, absolute: as an argument it would stand in the list of processes. */
export interface StudioAddress extends Studio {
  readonly tokenFile: string;
}

export interface WorkerSettings extends Studio {
  /** A file, absolute, or a code that gives one, once. */
  readonly token: { readonly file: string } | { readonly claim: string };
  /** Trains one run and ends. */
  readonly once: { readonly id: string | null } | null;
  /** null: that of the machine. */
  readonly name: string | null;
  /** null: the built-in trainer. */
  readonly trainer: readonly string[] | null;
  /** That the built-in trainer may use; null: one for each processor. */
  readonly threads: number | null;
  /** Absolute. */
  readonly dataDir: string;
}

const ADDRESS_OPTIONS = { studio: { type: 'string' }, 'token-file': { type: 'string' } } as const;

interface Asking {
  /** Of the words. */
  readonly command: string;
  /** How to write it. */
  readonly usage: string;
  /** What may be read and changed without TLS. */
  readonly risk: string;
}

function toStudio(address: string | undefined, { command, usage, risk }: Asking): Studio {
  if (address === undefined) throw new FlagProblem(`${command} needs the address of the studio. ${usage}`);
  const studio = toServerUrl({ name: '--studio', value: address });
  return { studio, warnings: toPlainHttpWarnings(studio, risk) };
}

function toTokenFile(file: string | undefined, { command, usage }: Omit<Asking, 'risk'>, cwd: string): string {
  if (file === undefined) throw new FlagProblem(`${command} needs a file with its token. ${usage}`);
  return resolve(cwd, file);
}

const MCP_USAGE = `Write it as "${COMMAND} mcp --studio URL --token-file FILE".`;

function parseMcp(args: readonly string[], cwd: string): Command {
  const { values } = parseFlags(args, { ...ADDRESS_OPTIONS, help: OPTIONS.help }, MCP_USAGE);
  if (values.help) return { kind: 'help' };
  const risk = 'the token and all answers can be read, and what the assistant does can be changed';
  const asking = { command: 'mcp', usage: MCP_USAGE, risk };
  const studio = toStudio(values.studio, asking);
  return { kind: 'mcp', studio: { ...studio, tokenFile: toTokenFile(values['token-file'], asking, cwd) } };
}

const WORKER_USAGE =
  `Write it as "${COMMAND} worker --studio URL --token-file FILE [--trainer CMD | --threads N] ` +
  '[--name NAME] [--data DIR] [--once] [--run ID]".';

const CLAIM = /^[\w-]{20,100}$/;

function toWorkerToken(file: string | undefined, claim: string | undefined, cwd: string): WorkerSettings['token'] {
  if (claim !== undefined) {
    if (file !== undefined) throw new FlagProblem(`--claim takes the place of --token-file. ${WORKER_USAGE}`);
    if (!CLAIM.test(claim)) throw new FlagProblem('--claim must be the code that a launcher of the studio gave.');
    return { claim };
  }
  return { file: toTokenFile(file, { command: 'worker', usage: WORKER_USAGE }, cwd) };
}

function parseWorker(args: readonly string[], cwd: string): Command {
  const { data, trainer: command, threads, help } = OPTIONS;
  const text = { type: 'string' } as const;
  const own = { claim: text, name: text, once: { type: 'boolean' }, run: text } as const;
  const options = { ...ADDRESS_OPTIONS, ...own, trainer: command, threads, data, help };
  const { values } = parseFlags(args, options, WORKER_USAGE);
  if (values.help) return { kind: 'help' };
  const risk = 'the token and all rows can be read, and what this machine is to train can be changed';
  const address = toStudio(values.studio, { command: 'worker', usage: WORKER_USAGE, risk });
  const token = toWorkerToken(values['token-file'], values.claim, cwd);
  const { run } = values;
  if (run !== undefined && !isUuid(run))
    throw new FlagProblem('--run must be the id of a run, as its page and the API have it.');
  if (values.name !== undefined) checkName('--name', values.name);
  return {
    kind: 'worker',
    worker: {
      ...address,
      token,
      once: run !== undefined || values.once === true ? { id: run?.toLowerCase() ?? null } : null,
      name: values.name ?? null,
      threads: toThreads(values.threads === undefined ? null : { name: '--threads', value: values.threads }),
      trainer: toTrainer(values.trainer === undefined ? null : { name: '--trainer', value: values.trainer }, cwd),
      dataDir: resolve(cwd, values.data ?? '.studio-worker'),
    },
  };
}

export interface EvalSettings {
  readonly address: StudioAddress;
  readonly question: EvalQuestion;
  readonly rule: GateRule;
  /** The result as JSON. */
  readonly isJson: boolean;
}

const EVAL_USAGE =
  `Write it as "${COMMAND} eval SET --studio URL --token-file FILE --min-pass 0.95 [--models a,b] [--baseline c] ` +
  '[--margin 0.02] [--repeats N] [--json]".';
/** How much lower a pass rate may be than the baseline's, unless another margin is given. */
const DEFAULT_MARGIN = 0.02;

function toShare(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const share = /^(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (share >= 0 && share <= 1) return share;
  throw new FlagProblem(`${name} must be a share from 0 to 1, such as 0.95, and not "${text}".`);
}

function toRepeats(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^(?:[1-9]|10)$/.test(text)) return Number(text);
  throw new FlagProblem(`--repeats must be a whole number from 1 to 10, and not "${text}".`);
}

function parseEval(args: readonly string[], cwd: string): Command {
  const text = { type: 'string' } as const;
  const own = {
    models: text,
    baseline: text,
    'min-pass': text,
    margin: text,
    repeats: text,
    json: { type: 'boolean' },
  } as const;
  const options = { ...ADDRESS_OPTIONS, ...own, help: OPTIONS.help };
  const { values, positionals } = parseFlags(args, options, EVAL_USAGE, true);
  if (values.help) return { kind: 'help' };
  const [set, more] = positionals;
  if (set === undefined) throw new FlagProblem(`eval needs the name or id of an evaluation. ${EVAL_USAGE}`);
  if (more !== undefined) throw new FlagProblem(`"${more}" is one word too many. ${EVAL_USAGE}`);
  const { baseline = null } = values;
  const minPass = toShare('--min-pass', values['min-pass']);
  const margin = toShare('--margin', values.margin);
  if (minPass === null && baseline === null)
    throw new FlagProblem(`eval needs something to hold the models against: --min-pass or --baseline. ${EVAL_USAGE}`);
  if (margin !== null && baseline === null)
    throw new FlagProblem(`--margin is the distance to a baseline: name one with --baseline. ${EVAL_USAGE}`);
  const names = (values.models ?? '').split(',').map((name) => name.trim());
  const models = [...new Set(names.filter((name) => name !== ''))];
  if (baseline !== null && models.length === 1 && models[0] === baseline)
    throw new FlagProblem(`“${baseline}” is compared with itself. Name another model with --models or --baseline.`);
  const risk = 'the token, rows and answers can be read, and the result can be changed';
  const asking = { command: 'eval', usage: EVAL_USAGE, risk };
  const studio = toStudio(values.studio, asking);
  return {
    kind: 'eval',
    settings: {
      address: { ...studio, tokenFile: toTokenFile(values['token-file'], asking, cwd) },
      question: { set, models, baseline, repeats: toRepeats(values.repeats) },
      rule: { minPass, margin: baseline === null ? null : (margin ?? DEFAULT_MARGIN) },
      isJson: values.json === true,
    },
  };
}

function parseGpu(words: readonly string[]): Command {
  const [word, more] = words;
  if (word === '--help' || word === '-h') return { kind: 'help' };
  const card = word === undefined ? null : GPU_KINDS.find((kind) => kind === word);
  if (card === undefined || more !== undefined)
    throw new FlagProblem(`Write it as "${COMMAND} gpu", or with the kind of the card: ${GPU_KINDS.join(' or ')}.`);
  return { kind: 'gpu', card };
}

/** Reads the command line and the environment. Never throws; relative folders are taken from `cwd`. */
export function parseCommandLine(args: readonly string[], environment: Environment, cwd: string): Command {
  try {
    const [first, ...others] = args;
    if (first === 'worker') return parseWorker(others, cwd);
    if (first === 'mcp') return parseMcp(others, cwd);
    if (first === 'eval') return parseEval(others, cwd);
    if (first === 'gpu') return parseGpu(others);
    if (first === 'token') return parseToken(others, environment, cwd);
    return first === 'doctor' ? parseDoctor(others, environment, cwd) : parseSettings(args, environment, cwd);
  } catch (error) {
    if (error instanceof FlagProblem)
      return { kind: 'problem', message: error.message, exitCode: args[0] === 'eval' ? ERROR_CODE : 1 };
    throw error;
  }
}
