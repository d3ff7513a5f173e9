// Trainers that are chosen by the name of their framework: `--trainer trl`. Each is a command.
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OBJECTIVES } from '#core/contract/trainingSettings.ts';
import type { Trainer } from '#features/training/server/trainer.ts';

const NAMES: ReadonlySet<string> = new Set(['trl', 'axolotl', 'llama-factory', 'ms-swift', 'unsloth']);
const SCRIPT = fileURLToPath(new URL('./trainWith.mjs', import.meta.url));

/** No shell has seen `~` in quotes. */
const toPath = (text: string, cwd: string): string => resolve(cwd, text.replace(/^~(?=$|[/\\])/, homedir()));

/** A value of `--model NAME=WEIGHTS`: a name of the hub stays. */
const toModel = (text: string, cwd: string): string => {
  const at = text.indexOf('=') + 1;
  const weights = text.slice(at);
  return at > 0 && /^(?:[~.]{1,2}$|[~.]{0,2}[/\\]|[A-Za-z]:[/\\])/.test(weights)
    ? text.slice(0, at) + toPath(weights, cwd)
    : text;
};

/** The command of a trainer by its words, which may begin with such a name. Paths are taken from `cwd`. */
export function toTrainerCommand([name = '', ...args]: readonly string[], cwd: string): readonly string[] {
  if (!NAMES.has(name)) return [/[/\\]/.test(name) ? resolve(cwd, name) : name, ...args];
  const words = args.map((word, at) => {
    if (args[at - 1] === '--env' || args[at - 1] === '--rewards') return toPath(word, cwd);
    return args[at - 1] === '--model' ? toModel(word, cwd) : word;
  });
  return [process.execPath, SCRIPT, name, ...words];
}

/** The names of the reward functions in the folder of `--rewards`: each file has one of its own name. */
function readRewards(command: readonly string[]): readonly string[] {
  const at = command.indexOf('--rewards');
  const folder = at === -1 ? undefined : command[at + 1];
  if (folder === undefined) return [];
  return readdirSync(folder)
    .flatMap((file) => /^([A-Za-z_]\w{0,99})\.py$/.exec(file)?.[1] ?? [])
    .toSorted();
}

/** What a trainer of a person's own says by the word after `--objectives`, which it gets too: `sft,dpo`. Throws at others. */
function readObjectives(command: readonly string[]): Pick<Trainer, 'objectives'> {
  const at = command.indexOf('--objectives');
  if (at === -1) return {};
  const named = (command[at + 1] ?? '').split(',');
  const odd = named.find((name) => !OBJECTIVES.some((objective) => objective === name));
  if (odd !== undefined)
    throw new Error(
      `There is no objective "${odd}". After --objectives comes a list such as sft,dpo of ${OBJECTIVES.join(', ')}.`,
    );
  return { objectives: OBJECTIVES.filter((objective) => named.includes(objective)) };
}

/** What a command announces; nothing: it is not known. Throws if `--rewards` is no folder, or at an unknown objective. */
export function toAnnounced(command: readonly string[]): Pick<Trainer, 'objectives' | 'rewardFunctions'> {
  if (command[1] !== SCRIPT) return readObjectives(command);
  return command[2] === 'trl'
    ? { objectives: OBJECTIVES, rewardFunctions: readRewards(command) }
    : { objectives: ['sft'] };
}

/** What people read: the name, not where its script lies. */
export const toTrainerName = (command: readonly string[]): string =>
  (command[1] === SCRIPT ? command.slice(2) : command).join(' ');
