// How the studio and a trainer talk. The trainer is a command that gets the path of a job.json as its last argument and
// writes JSON lines to stdout. Any other line of it is a line of its log. Its stdin closes when the studio ends. One that
// trains more than single answers says so by words of its command, such as `--objectives sft,dpo`.
// What parseTrainerLine gives can be stored: it cleans all texts of an event, and numbers have the bounds of their columns.
import * as z from 'zod/mini';
import { toIssue } from '#core/contract/issues.ts';
import { countSchema, cutText, mapTexts, storedCountSchema, toStorable, uuidSchema } from '#core/contract/schemas.ts';
import { rightRowsSchema } from '#core/contract/rightRows.ts';
import { OBJECTIVES, SCHEDULERS } from '#core/contract/trainingSettings.ts';
import { exportParitySchema } from '#core/contract/exportParity.ts';

/** Exit code of a trainer that saved a checkpoint after SIGTERM and can go on from it. */
export const EXIT_RESUMABLE = 75;

/** Characters of one line that are read; the rest of a longer line is dropped. */
export const MAX_LINE = 64 * 1024;
/** Characters of a log line that are kept. */
const MAX_LOG_TEXT = 4_000;
/** Validation answers of one event that are kept. */
export const MAX_ANSWERS = 20;
/** Characters of a reason that are kept: it is read with each tree. */
const MAX_REASON = 2_000;
/** Measures of a result that are kept, and characters of the name of one. */
const MAX_MEASURES = 100;
const MAX_NAME = 100;
/** The longest path of Linux. */
const MAX_PATH = 4_096;

/** job.json. All paths are absolute. */
export const trainerJobSchema = z.strictObject({
  protocol: z.literal(1),
  experiment_id: uuidSchema,
  base: z.strictObject({
    id: z.string(),
    file: z.nullable(z.string().check(z.describe('GGUF file of the base model; null: this studio has none.'))),
    adapter: z.nullable(
      z.string().check(z.describe('GGUF adapter on `file`: the run goes on from both together. null: none.')),
    ),
    context: z.nullable(countSchema.check(z.describe('Tokens that the base model can read; null: unknown.'))),
  }),
  data: z.strictObject({
    training: z
      .string()
      .check(
        z.describe(
          'JSONL file, one chat row a line. An answer with `weight: 0` must not be learnt; of one with `train_detail` only its parts with `train: true`.',
        ),
      ),
    validation: z.string().check(z.describe('The validation rows, in the same form; the file may be empty.')),
  }),
  output: z.string().check(z.describe('Folder of this run: checkpoints and the result belong here.')),
  resume: z.boolean().check(z.describe('Go on from the last checkpoint in `output`, if there is one.')),
  training_type: z.enum(['full', 'lora', 'qlora']),
  n_epochs: z.int(),
  batch_size: z.int(),
  learning_rate: z.number(),
  lora: z.nullable(
    z.strictObject({
      rank: z.int(),
      alpha: z.number(),
      dropout: z.optional(z.number()),
      target_modules: z.optional(z.array(z.string())),
    }),
  ),
  seed: z.int(),
  objective: z.optional(
    z
      .enum(OBJECTIVES)
      .check(
        z.describe(
          'Missing: sft. Rows of dpo have `chosen` and `rejected` after the prompt in `messages`; rows of kto have these, or `completion` and `label`.',
        ),
      ),
  ),
  // Each of these is there if somebody chose it; else it is the trainer's own.
  beta: z.optional(z.number()),
  desirable_weight: z.optional(z.number()),
  undesirable_weight: z.optional(z.number()),
  reward_function: z.optional(z.string().check(z.describe('Of grpo: its name. The trainer knows where it is.'))),
  warmup_steps: z.optional(z.int()),
  weight_decay: z.optional(z.number()),
  scheduler: z.optional(z.enum(SCHEDULERS)),
  max_length: z.optional(z.int().check(z.describe('Tokens of a row; a longer one is cut.'))),
  checkpoint_every: z.int().check(z.describe('Steps between two checkpoints.')),
  pause_at: z.optional(
    z
      .number()
      .check(
        z.describe(
          'Share of the steps after which it measures the validation rows, saves a checkpoint and ends with 75. It is started again from there, or not.',
        ),
      ),
  ),
});

export type TrainerJob = z.infer<typeof trainerJobSchema>;

/** The step after which a run pauses, from 1 on; a run that has no more steps does not pause. */
export const toPauseStep = (share: number, steps: number): number =>
  // A third of 90 steps are 30, whatever a third is in binary.
  Math.max(1, Math.ceil(share * steps - 1e-6));

/** null: it was not a finite number, which JSON can't express. */
const lossSchema = z.nullable(z.number());
const optionalNumber = z.optional(z.nullable(z.number()));
const textSchema = z.string();
const wordsSchema = z.string().check(z.overwrite((text) => cutText(text, MAX_REASON)));

const answerSchema = z.object({
  prompt: textSchema,
  expected: textSchema,
  answer: textSchema,
  is_right: z.optional(z.nullable(z.boolean())),
});

/** Curves of one step beside the loss, and characters of the name of one. */
const MAX_METRICS = 40;
/** As trainers name them: `rewards/chosen`. A value that is no number is left out. */
const METRIC = /^[\w.-]+(\/[\w.-]+){0,3}$/;
const metricsSchema = z.record(z.string(), z.nullable(z.number())).check(
  z.overwrite((metrics) =>
    Object.fromEntries(
      Object.entries(metrics)
        .filter(([name, value]) => value !== null && name.length <= MAX_NAME && METRIC.test(name))
        .slice(0, MAX_METRICS),
    ),
  ),
);

const measuresSchema = z.record(z.string(), z.nullable(z.number())).check(
  z.overwrite((measures) =>
    Object.fromEntries(
      Object.entries(measures)
        .filter(([name]) => name.length <= MAX_NAME)
        .slice(0, MAX_MEASURES),
    ),
  ),
);

const pathSchema = z.string().check(z.minLength(1), z.maxLength(MAX_PATH));

/**
 * Where the trained model is: a file in the output folder (an adapter is one on `base.file` alone), a folder there as PEFT or
 * Hugging Face's transformers save it, or a name under which the server of `--engine` serves it.
 */
const resultModelSchema = z.union([
  z.object({ file: pathSchema, kind: z.enum(['gguf', 'adapter']) }),
  /** The studio writes the GGUF file by itself. Of a result, all that lies in the output folder is kept with its run. */
  z.object({ folder: pathSchema, kind: z.enum(['peft', 'hf']) }),
  z.object({ served_as: z.string().check(z.minLength(1), z.maxLength(256)) }),
]);

export const trainerEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    steps: storedCountSchema,
    tokens_per_step: optionalNumber,
    /** Rows that are trained on, cut to the context, and left out because nothing of them would be trained. */
    rows: z.optional(z.nullable(storedCountSchema)),
    rows_cut: z.optional(z.nullable(storedCountSchema)),
    rows_left_out: z.optional(z.nullable(storedCountSchema)),
  }),
  z.object({
    type: z.literal('progress'),
    step: storedCountSchema,
    epoch: optionalNumber,
    loss: lossSchema,
    learning_rate: optionalNumber,
    gradient_norm: optionalNumber,
    tokens_per_second: optionalNumber,
    seconds_left: optionalNumber,
    /** Further values of the step by name, such as `rewards/margins`: curves beside the loss. */
    metrics: z.optional(z.nullable(metricsSchema)),
  }),
  z.object({
    type: z.literal('validation'),
    step: storedCountSchema,
    loss: z.optional(lossSchema),
    /** Share of validation rows that are answered exactly, from 0 to 1. */
    exact_match: optionalNumber,
    /** The same of the validation rows. */
    metrics: z.optional(z.nullable(metricsSchema)),
    answers: z.optional(z.array(answerSchema)),
  }),
  z.object({
    type: z.literal('checkpoint'),
    step: storedCountSchema,
    file: z.string().check(z.maxLength(MAX_PATH)),
    /** The weights of this step as a model to try, if the trainer wrote one. */
    model: z.optional(z.nullable(resultModelSchema)),
  }),
  z.object({ type: z.literal('log'), text: textSchema }),
  z.object({
    type: z.literal('result'),
    model: resultModelSchema,
    /** What else can be taken away: other forms of the same model, in the output folder. They are kept beside it. */
    files: z.optional(
      z.nullable(
        z
          .array(
            z.object({
              format: z.string().check(z.regex(/^[\w-]+( [\w-]+){0,3}$/), z.maxLength(40)),
              file: pathSchema,
            }),
          )
          .check(z.maxLength(8)),
      ),
    ),
    /** Measures on the validation rows: `validation_loss`, shares from 0 to 1; `rows`: how many rows they come from. */
    measures: z.optional(z.nullable(measuresSchema)),
    /** Of each measured validation row in the file's order: 1, answered exactly; 0, not. Two runs are then compared row by row. */
    right_rows: z.optional(z.nullable(rightRowsSchema)),
    /** The same measures of the base model, before the training. */
    base_measures: z.optional(z.nullable(measuresSchema)),
    /** Whether the files answer as the trainer did. */
    parity: z.optional(z.nullable(exportParitySchema)),
    /** How the measured answers were generated. */
    decoding: z.optional(z.nullable(z.enum(['greedy', 'sampled']))),
    settings: z.optional(z.nullable(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])))),
  }),
  z.object({
    type: z.literal('failure'),
    reason: wordsSchema.check(z.minLength(1)),
    what_to_do: z.optional(z.nullable(wordsSchema)),
  }),
]);

export type TrainerEvent = z.infer<typeof trainerEventSchema>;
export type TrainerEventOf<Type extends TrainerEvent['type']> = Extract<TrainerEvent, { type: Type }>;
export type TrainerResult = TrainerEventOf<'result'>;

const TYPES: ReadonlySet<unknown> = new Set(
  trainerEventSchema.def.options.flatMap(({ shape }) => [...shape.type.def.values]),
);

/** `problem`: the line has the form of an event, but this is wrong with it. */
export type TrainerLine = TrainerEvent & { readonly problem?: string };

/** Python writes NaN and Infinity into JSON, which has no word for them. Texts in quotes stay as they are. */
const toStrictJson = (line: string): string =>
  line.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (part) => (part.startsWith('"') ? part : 'null'));

function parseObject(line: string): object | null {
  if (!line.startsWith('{')) return null;
  for (const text of [line, toStrictJson(line)]) {
    try {
      const value: unknown = JSON.parse(text);
      return typeof value === 'object' && value !== null ? value : null;
    } catch {
      // Tried again in the strict form; then it is a line of the log.
    }
  }
  return null;
}

/** No control characters but tabs: escape codes of progress bars, and the zero byte that a database refuses. */
const toLogText = (line: string): string =>
  cutText(line.replaceAll(/\p{Cc}\[[0-9;?]*[A-Za-z]/gu, '').replaceAll(/[^\P{Cc}\t]/gu, ''), MAX_LOG_TEXT);

/** Without one of these in its JSON, no text of an event holds what `toStorable` replaces. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])|\p{Cs}/iu;

/** One line of a trainer's stdout, without its line end. Never throws: what is no event is a line of the log. */
export function parseTrainerLine(line: string): TrainerLine {
  const value = parseObject(line.slice(0, MAX_LINE).trim());
  if (value === null || !('type' in value) || !TYPES.has(value.type)) return { type: 'log', text: toLogText(line) };
  const parsed = trainerEventSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    // The path may hold a name that the trainer chose.
    const { message } = toIssue(parsed.error.issues, 'the event');
    const problem = toLogText(`${String(value.type)}: ${message}`);
    return { type: 'log', text: toLogText(line), problem };
  }
  if (parsed.data.type === 'log') return { type: 'log', text: toLogText(parsed.data.text) };
  // After the schema, which leaves out what is nested more deeply than an event.
  const event = UNSTORABLE.test(line) ? (mapTexts(parsed.data, toStorable) as TrainerEvent) : parsed.data;
  if (event.type === 'validation' && event.answers) return { ...event, answers: event.answers.slice(0, MAX_ANSWERS) };
  return event;
}
