// The command line: what to do, and with which settings. Pure.
import {
  FlagProblem,
  parseSettings,
  readFlags,
  toRunFolders,
  type Environment,
  type ParsedSettings,
  type Settings,
} from './flags.ts';

export type Command =
  /** Starts the studio; or says what is wrong with the flags. */
  | ParsedSettings
  /** `doctor`: looks at what a start with these settings would need. */
  | { readonly kind: 'doctor'; readonly settings: Settings }
  /** `doctor --runs DIR`: says what the studio finds in these folders. */
  | { readonly kind: 'examine'; readonly runs: readonly string[] };

function parseDoctor(args: readonly string[], environment: Environment, cwd: string): Command {
  const flags = readFlags(args);
  const given = Object.keys(flags);
  if (given.length === 1 && given[0] === 'runs')
    return { kind: 'examine', runs: toRunFolders(flags, environment, cwd) };
  const parsed = parseSettings(args, environment, cwd);
  return parsed.kind === 'settings' ? { kind: 'doctor', settings: parsed.settings } : parsed;
}

/** Reads the command line and the environment. Never throws; relative folders are taken from `cwd`. */
export function parseCommandLine(args: readonly string[], environment: Environment, cwd: string): Command {
  try {
    const [first, ...others] = args;
    return first === 'doctor' ? parseDoctor(others, environment, cwd) : parseSettings(args, environment, cwd);
  } catch (error) {
    if (error instanceof FlagProblem) return { kind: 'problem', message: error.message };
    throw error;
  }
}
