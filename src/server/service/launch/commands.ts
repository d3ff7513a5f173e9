// The command line: what to do, and with which settings. Pure.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { TokenAction, TokenCommand } from '#server/access/tokenCommand.ts';
import { isTokenName } from '#server/access/tokens.ts';
import {
  FlagProblem,
  parseSettings,
  readFlags,
  toRunFolders,
  type Environment,
  type ParsedSettings,
  type Settings,
} from './flags.ts';
import { COMMAND } from './projectRoot.ts';

export type Command =
  /** Starts the studio; or says what is wrong with the flags. */
  | ParsedSettings
  /** `doctor`: looks at what a start with these settings would need. */
  | { readonly kind: 'doctor'; readonly settings: Settings }
  /** `doctor --runs DIR`: says what the studio finds in these folders. */
  | { readonly kind: 'examine'; readonly runs: readonly string[] }
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

function toTokenAction(words: readonly string[], isReadOnly: boolean): TokenAction {
  const [kind, name, ...more] = words;
  if (more.length > 0) throw new FlagProblem(`"${more[0]}" is one word too many. ${TOKEN_USAGE}`);
  if (isReadOnly && kind !== 'add') throw new FlagProblem(`--read-only belongs to "token add". ${TOKEN_USAGE}`);
  if (kind === 'list' && name === undefined) return { kind };
  if (kind !== 'add' && kind !== 'revoke') throw new FlagProblem(`token needs to know what to do. ${TOKEN_USAGE}`);
  if (name === undefined) throw new FlagProblem(`token ${kind} needs a name. ${TOKEN_USAGE}`);
  if (kind === 'revoke') return { kind, name };
  if (!isTokenName(name))
    throw new FlagProblem(
      'The name of a token has 1 to 60 letters, digits, spaces or . _ @ + -, and begins with a letter or a digit.',
    );
  return { kind, name, isReadOnly };
}

function parseToken(args: readonly string[], environment: Environment, cwd: string): Command {
  const options = {
    data: { type: 'string' },
    'read-only': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const unknown = args.find((arg) => arg.startsWith('-') && !/^(?:--data(?:=.*)?|--read-only|--help|-h)$/.test(arg));
  if (unknown !== undefined)
    throw new FlagProblem(`token takes --data and --read-only, not ${unknown}. ${TOKEN_USAGE}`);
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false });
  if (values.help === true) return { kind: 'help' };
  const data = typeof values.data === 'string' ? values.data : environment['STUDIO_DATA'] || '.studio';
  return {
    kind: 'token',
    command: {
      action: toTokenAction(positionals, values['read-only'] === true),
      dataDir: resolve(cwd, data),
      databaseUrl: environment['DATABASE_URL'] || null,
    },
  };
}

/** Reads the command line and the environment. Never throws; relative folders are taken from `cwd`. */
export function parseCommandLine(args: readonly string[], environment: Environment, cwd: string): Command {
  try {
    const [first, ...others] = args;
    if (first === 'token') return parseToken(others, environment, cwd);
    return first === 'doctor' ? parseDoctor(others, environment, cwd) : parseSettings(args, environment, cwd);
  } catch (error) {
    if (error instanceof FlagProblem) return { kind: 'problem', message: error.message };
    throw error;
  }
}
