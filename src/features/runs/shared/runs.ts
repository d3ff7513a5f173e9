// Runs that other trainers left in folders of this machine, on the wire: strict schemas for what our service sends.
// ASSUMED: not in SPEC. A root folder is a project, and its runs are experiments of the tree and of its jobs, so every
// client can read them. These endpoints add what the tree and the jobs have no place for.
import * as z from 'zod/mini';
import { countSchema, maxCharacters, statusCauseSchema, uuidSchema } from '#core/contract/schemas.ts';
import { EXPERIMENT_STATUSES } from '#core/contract/statuses.ts';

const timeSchema = z.nullable(z.number().check(z.describe('Unix milliseconds; null: unknown.')));

export const runGroupingSchema = z
  .discriminatedUnion('by', [
    z.strictObject({ by: z.literal('folder') }),
    z.strictObject({ by: z.literal('pattern'), pattern: z.string().check(z.minLength(1), maxCharacters(200)) }),
    z.strictObject({ by: z.literal('parameter'), parameter: z.string().check(z.minLength(1), maxCharacters(200)) }),
  ])
  .check(
    z.describe(
      'How runs become jobs: by parent folder, by a part of the path (a pattern with `*` for any text and `{}` for the ' +
        'part that names the job), or by the value of a setting.',
    ),
  );

/** `PUT /api/v1/studio/run-roots/{rootId}`: what is absent stays. */
export const runRootChangeSchema = z.strictObject({
  grouping: z.optional(runGroupingSchema),
  main_measure: z.optional(
    z
      .nullable(z.string().check(z.minLength(1), maxCharacters(300)))
      .check(z.describe('The measure to compare its runs by; null: the one that fits.')),
  ),
});

/** `GET /api/v1/studio/run-roots`. */
export const runRootSchema = z.strictObject({
  id: uuidSchema.check(z.describe('Also the id of its project.')),
  path: z.string().check(z.describe('Absolute path on the machine of the service.')),
  state: z.enum(['scanning', 'watching', 'polling', 'missing']),
  state_reason: z.optional(z.string().check(z.describe('One sentence about the state, such as why it polls.'))),
  /** Given at the start; a root from a flag can't be removed in the page. */
  from_flag: z.boolean(),
  folders: countSchema,
  files: countSchema,
  runs: countSchema,
  formats: z.array(z.strictObject({ format: z.string(), label: z.string(), runs: countSchema })),
  not_understood: z
    .array(z.strictObject({ folder: z.string(), reason: z.string() }))
    .check(z.describe('Folders without a sign of training, and why; at most 200.')),
  not_understood_count: countSchema,
  problems: z.array(z.strictObject({ file: z.string(), problem: z.string() })),
  scanned_at: timeSchema,
  grouping: runGroupingSchema,
  main_measure: z.optional(z.string().check(z.describe('The measure that a person chose to compare its runs by.'))),
});

export const runRootListSchema = z.strictObject({ roots: z.array(runRootSchema) });

/** `POST /api/v1/studio/run-roots`. */
export const newRunRootSchema = z.strictObject({ path: z.string().check(z.minLength(1), z.maxLength(4096)) });

const sourceSchema = z.strictObject({
  format: z.string(),
  file: z.string().check(z.describe('Path below the root.')),
  place: z.nullable(z.string()),
});

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const factSchema = z.strictObject({
  name: z.string(),
  value: valueSchema,
  source: sourceSchema,
  note: z.optional(z.string().check(z.describe('What the value is, where its name says too little.'))),
  /** Other sources that say something else. */
  others: z.optional(z.array(z.strictObject({ value: valueSchema, source: sourceSchema }))),
});

/** A number as JSON can't express it. */
export const curveValueSchema = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]);

const runMetricSchema = z.strictObject({
  name: z.string().check(z.describe('As in the `log_history` of Hugging Face, evaluation under `eval/`.')),
  points: countSchema,
  first: curveValueSchema,
  last: curveValueSchema,
  /** Lowest and highest finite value; null: none is finite. */
  lowest: z.nullable(z.number()),
  highest: z.nullable(z.number()),
  last_step: z.number(),
  source: sourceSchema,
});

const runCheckpointSchema = z.strictObject({
  path: z.string(),
  step: z.nullable(z.number()),
  kind: z.enum(['adapter', 'full', 'gguf', 'unknown']),
  bytes: countSchema,
  is_complete: z.boolean(),
  is_best: z.optional(
    z.literal(true).check(z.describe('The trainer found it best, by the measure it was told to use.')),
  ),
  saved_at: timeSchema,
  measures: z.record(z.string(), z.number()),
  /** The model of `GET /api/v1/models` that answers with these weights; null: none does yet. */
  model_id: z.nullable(z.string()),
  /** How this studio serves or served it; absent: the file in the folder is the model, or nobody asked for one. */
  served: z.optional(
    z.strictObject({
      way: z.enum(['llama', 'engine']),
      /** The model that the adapter runs on; null: unknown, or not here any more. */
      base_model_id: z.nullable(z.string()),
      /** Why it does not answer any more, and what to do; `model_id` is null then. Absent: it answers. */
      problem: z.optional(z.string()),
    }),
  ),
});

/** `GET /api/v1/studio/runs/{runId}`. */
export const runSchema = z.strictObject({
  id: uuidSchema,
  root_id: uuidSchema,
  label: z.string(),
  folder: z.string(),
  status: z.enum(EXPERIMENT_STATUSES),
  status_cause: z.optional(statusCauseSchema),
  status_reason: z.string().check(z.describe('Why it has this status, one sentence.')),
  /** false: concluded, not written down by the trainer. */
  is_status_certain: z.boolean(),
  formats: z.array(z.string()),
  started_at: timeSchema,
  ended_at: timeSchema,
  seconds: z.optional(z.number().check(z.describe('Of training, the sum of its sessions; absent: unknown.'))),
  last_sign_at: timeSchema,
  step: z.nullable(z.number()),
  total_steps: z.nullable(z.number()),
  /** Parts of a run that was resumed, oldest first: their folders or event files. */
  parts: z.array(z.string()),
  facts: z.array(factSchema),
  parameters: z.array(factSchema),
  environment: z.array(factSchema),
  summary: z.array(factSchema),
  metrics: z.array(runMetricSchema),
  checkpoints: z.array(runCheckpointSchema),
  row_files: z.array(z.strictObject({ path: z.string(), step: z.nullable(z.number()) })),
  problems: z.array(z.string()),
});

/** Most points of one curve that an answer holds. */
const MAX_CURVE_POINTS = 20_000;
/** Most curves of one answer. */
export const MAX_CURVES = 400;

/**
 * `POST /api/v1/studio/curves`: a question too long for an address. Thinned curves keep both ends, the lowest and
 * highest value of each stretch, and values that are not finite; of many of those in a row, both ends. `replaced/loss` is
 * what a run logged as `loss` before a later session trained these steps again.
 */
export const curveRequestSchema = z.strictObject({
  runs: z.array(uuidSchema).check(z.minLength(1), z.maxLength(1000)),
  names: z.array(z.string().check(maxCharacters(500))).check(z.minLength(1), z.maxLength(100)),
  /** Most points of each curve. */
  points: z.optional(z.int().check(z.minimum(10), z.maximum(MAX_CURVE_POINTS))),
  /** Only points from this step to that one, and one beyond each end. */
  from_step: z.optional(z.number()),
  to_step: z.optional(z.number()),
  /** The `version` of the last answer: nothing new is answered with 304. */
  version: z.optional(z.string().check(maxCharacters(100))),
});

export const curveListSchema = z.strictObject({
  version: z.string(),
  curves: z.array(
    z.strictObject({
      run_id: uuidSchema,
      name: z.string(),
      /** How many points the whole curve has. */
      length: countSchema,
      steps: z.array(z.number()),
      values: z.array(curveValueSchema),
      /** Unix milliseconds of each point; absent if the source has no times. */
      times: z.optional(z.array(z.nullable(z.number()))),
    }),
  ),
  /** Metrics that the runs have, with the number of runs that have each. */
  names: z.array(z.strictObject({ name: z.string(), runs: countSchema })),
});

export type RunRoot = z.infer<typeof runRootSchema>;
export type RunRootChange = z.infer<typeof runRootChangeSchema>;
export type RunGrouping = RunRoot['grouping'];
export type Run = z.infer<typeof runSchema>;
export type RunFact = Run['facts'][number];
export type RunMetric = z.infer<typeof runMetricSchema>;
export type RunCheckpoint = z.infer<typeof runCheckpointSchema>;
export type ServedAs = NonNullable<RunCheckpoint['served']>;
export type CurveRequest = z.infer<typeof curveRequestSchema>;
export type CurveList = z.infer<typeof curveListSchema>;
export type RunCurve = CurveList['curves'][number];
