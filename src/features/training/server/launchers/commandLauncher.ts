// A launcher of the operator's own: a command that gets what it is to do as its last word and JSON on its standard input, and
// answers JSON. It reaches whatever has a command line of its own.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { toIssue } from '#core/contract/issues.ts';
import { cutText, maxCharacters } from '#core/contract/schemas.ts';
import { END_CAUSES, LaunchRefused, type LaunchedJob, type Launcher } from './launcher.ts';
import { toNodeCommand, type NodeSettings } from './nodeCommand.ts';
import { runTool, toToolProblem } from './runTool.ts';

export interface CommandSettings extends NodeSettings {
  readonly name: string;
  readonly mostAtOnce: number;
  readonly command: readonly string[];
  /** Absolute, shared with the nodes: each job has a folder in it, with its token. */
  readonly folder: string;
  readonly gpus: number;
  readonly minutes: number | null;
  readonly answerMs?: number;
}

const MAX_REASON = 300;
/** Characters of one part of a log that are taken. */
const MAX_LOG = 128 * 1024;
const words = z.string().check(
  z.minLength(1),
  z.overwrite((text) => cutText(text, MAX_REASON)),
);
const jobSchema = z.optional(z.nullable(z.string().check(z.minLength(1), maxCharacters(200))));

/** What each word is answered with. */
const ANSWERS = {
  submit: z.union([z.object({ refused: words }), z.object({ job: jobSchema })]),
  status: z.discriminatedUnion('state', [
    z.object({ state: z.literal('waiting'), reason: words, job: jobSchema }),
    z.object({ state: z.literal('running'), job: jobSchema }),
    z.object({
      state: z.literal('ended'),
      code: z.optional(z.nullable(z.int())),
      cause: z.optional(z.nullable(z.enum(END_CAUSES))),
      reason: z.optional(z.nullable(words)),
    }),
    z.object({ state: z.literal('lost') }),
  ]),
  stop: z.object({}),
  logs: z.object({ text: z.string(), next: z.int().check(z.minimum(0)) }),
} as const;

type Verb = keyof typeof ANSWERS;

export function openCommandLauncher(settings: CommandSettings): Launcher {
  const { name, mostAtOnce, command, folder, gpus, minutes, answerMs } = settings;
  const folderOf = ({ id }: Pick<LaunchedJob, 'id'>): string => join(folder, id);
  /** What all words but `submit` get. */
  const toSent = ({ id, job }: LaunchedJob): object => ({ id, job, folder: folderOf({ id }) });

  async function ask<Asked extends Verb>(verb: Asked, sent: object): Promise<z.output<(typeof ANSWERS)[Asked]>> {
    const answer = await runTool([...command, verb], `${JSON.stringify(sent)}\n`, answerMs);
    if (answer.code !== 0) throw new Error(toToolProblem(command, answer));
    let value: unknown;
    try {
      value = JSON.parse(answer.out);
    } catch {
      throw new Error(`its answer to ${verb} is no JSON: ${JSON.stringify(cutText(answer.out.trim(), 80))}`);
    }
    const parsed = ANSWERS[verb].safeParse(value, { reportInput: true });
    if (!parsed.success)
      throw new Error(`its answer to ${verb} is wrong: ${toIssue(parsed.error.issues, 'it').message}`);
    return parsed.data as z.output<(typeof ANSWERS)[Asked]>;
  }

  return {
    name,
    kind: 'command',
    mostAtOnce,
    hasSecretPlace: true,
    isElsewhere: false,
    about: command[0] ?? '',
    async submit(order) {
      const own = folderOf(order);
      const tokenFile = join(own, 'token');
      try {
        await mkdir(own, { recursive: true, mode: 0o700 });
        await writeFile(tokenFile, `${order.token}\n`, { mode: 0o600 });
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        throw new LaunchRefused(`its folder ${folder} can not be written (${code ?? message})`);
      }
      const words = toNodeCommand(settings, order, ['--token-file', tokenFile], join(folder, 'worker'));
      const { id, label } = order;
      const told = await ask('submit', { id, name: label, command: words, folder: own, gpus, minutes });
      if ('refused' in told) throw new LaunchRefused(told.refused);
      return told.job ?? null;
    },
    async status(launched) {
      const told = await ask('status', toSent(launched));
      switch (told.state) {
        case 'waiting':
          return { kind: 'waiting', reason: told.reason, ...(told.job && { job: told.job }) };
        case 'running':
          return { kind: 'running', ...(told.job && { job: told.job }) };
        case 'ended':
          return { kind: 'ended', code: told.code ?? null, cause: told.cause ?? null, words: told.reason ?? null };
        case 'lost':
          return { kind: 'lost' };
      }
    },
    async stop(launched) {
      await ask('stop', toSent(launched));
    },
    async log(launched, from) {
      const { text, next } = await ask('logs', { ...toSent(launched), from });
      return { text: text.slice(0, MAX_LOG), next };
    },
    tidy: (job) => rm(folderOf(job), { recursive: true, force: true }),
  };
}
