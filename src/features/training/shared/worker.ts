// How a machine that trains for a studio talks with it: it leases a run, sends what its trainer says, and its files.
// ASSUMED: not in SPEC. Only a local studio hands out runs.
import * as z from 'zod/mini';
import { OBJECTIVES } from '#core/contract/trainingSettings.ts';
import { countSchema, maxCharacters, toStorable, uuidSchema } from '#core/contract/schemas.ts';
import { MAX_LINE, trainerJobSchema } from '#trainer/protocol/trainerProtocol.ts';

/** Goes up when a worker of before can't train for a studio any more. A worker that says none has 1. */
export const WORKER_PROTOCOL = 1;
const OTHER_PROTOCOL =
  `must be ${WORKER_PROTOCOL}: the worker is older or newer than the studio, and they do not understand each other. Run ` +
  '"npm pack" where the newer one is, copy the file to the other machine, "npm install -g" it there, and start that again';

/** The files that a lease gives: rows, and the weights to start from. */
export const INPUTS = ['training.jsonl', 'validation.jsonl', 'base.gguf', 'adapter.gguf'] as const;
export type InputName = (typeof INPUTS)[number];

/** Exit code of a worker for one run that could not reach its studio. */
export const EXIT_UNREACHABLE = 69;

/** In the name of a file that is still arriving. */
export const PART = '.part-';

/** Names of files that go between the machines: no folders, nothing hidden, and no file that is arriving. */
export const OUTPUT_NAME = /^(?!.*\.part-)[A-Za-z0-9_][A-Za-z0-9_.-]{0,119}$/;

/**
 * Bytes of one file of a run, how many it has at the studio at a time, and bytes of all of them. The largest open models in
 * 16 bits have their place; the free disk of the studio is most often less, and counts too.
 */
export const LEASE_FILES = { bytes: 1024 ** 4, count: 32, allBytes: 2 * 1024 ** 4 } as const;

export const outputNameSchema = z
  .string()
  .check(
    z.regex(
      OUTPUT_NAME,
      'must have 1 to 120 letters, digits and ._-, begin with a letter or a digit, and not hold ".part-"',
    ),
  );

/** The query of a file that is sent. */
export const outputQuerySchema = z.object({
  kind: z.enum(['checkpoint', 'result']).check(z.describe('What it is.')),
});

/** Lines of one request. */
export const MAX_LINES = 500;

export const wantedLeaseSchema = z.strictObject({
  name: z
    .string()
    .check(
      z.regex(
        /^[\p{L}\p{N}][\p{L}\p{N} ._@+-]{0,59}$/u,
        'must be 1 to 60 letters, digits, spaces or any of "._@+-", and begin with a letter or a digit',
      ),
      z.describe('Of the machine, as people read it.'),
    ),
  is_built_in: z
    .boolean()
    .check(z.describe('It has the built-in trainer, and takes what that can train. false: any run of `objectives`.')),
  objectives: z.optional(
    z.array(z.enum(OBJECTIVES)).check(z.describe('What a trainer of its own learns from. Missing: sft alone.')),
  ),
  protocol: z.optional(
    z
      .literal(WORKER_PROTOCOL, OTHER_PROTOCOL)
      .check(z.describe('The version of these endpoints that the worker knows. Missing: 1.')),
  ),
  run: z.optional(
    uuidSchema.check(z.describe('Only this experiment. Missing: the next one that waits for no launcher.')),
  ),
});

/** A token of the run's own worker, and the code that makes it one. */
const secretSchema = z.string().check(z.regex(/^ms_[\w-]{43}$/, 'must be ms_ and 43 letters, digits, - or _'));

export const claimSchema = z.strictObject({
  code: secretSchema,
  token: secretSchema.check(z.describe('32 random bytes of your own as base64url, after ms_.')),
});

export const leaseSchema = z.strictObject({
  lease_id: uuidSchema,
  experiment_id: uuidSchema,
  seconds: z.number().check(z.describe('The lease ends if the studio hears nothing of it for so long.')),
  job: trainerJobSchema.check(z.describe("The job file. Its paths are those of the studio's machine.")),
  weights: z
    .array(z.strictObject({ name: z.enum(['base.gguf', 'adapter.gguf']), tag: z.string() }))
    .check(z.describe('Files to start from. The same tag is the same file.')),
  saved: z
    .array(z.string().check(z.regex(OUTPUT_NAME)))
    .check(z.describe('Names of the files of the last checkpoint, to go on from.')),
});

export const sentLinesSchema = z.strictObject({
  from: countSchema.check(z.describe('The number of the first line. Lines that the studio has are not taken twice.')),
  lines: z.array(z.string().check(maxCharacters(MAX_LINE + 1000))).check(z.maxLength(MAX_LINES)),
});

/** `wish`: what a person wants of the run. */
export const linesReplySchema = z.strictObject({ wish: z.nullable(z.enum(['stop'])), next: countSchema });

export const sentEndSchema = z.strictObject({
  code: z.nullable(z.int()),
  signal: z.nullable(z.string().check(z.regex(/^SIG[A-Z0-9]{1,12}$/))),
  problem: z.nullable(z.string().check(maxCharacters(500), z.overwrite(toStorable))),
  last: z.optional(
    z
      .array(z.string().check(maxCharacters(MAX_LINE + 1000)))
      .check(
        z.maxLength(4),
        z.describe('Lines of its result or failure again, for a service that has not heard them.'),
      ),
  ),
});

export type WantedLease = z.infer<typeof wantedLeaseSchema>;
export type Lease = z.infer<typeof leaseSchema>;
export type LinesReply = z.infer<typeof linesReplySchema>;
export type SentEnd = z.infer<typeof sentEndSchema>;
