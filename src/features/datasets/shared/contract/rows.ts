// Rows of a dataset or snapshot on the wire: a page of the table, one row whole, marks, statistics, findings.
// ASSUMED: not in SPEC. Only a local studio has rows.
import * as z from 'zod/mini';
import {
  countSchema,
  maxCharacters,
  oneLineCheck,
  wholePairsCheck,
  wholeTextSchema,
  wordsSchema,
} from '#core/contract/schemas.ts';
import { ROW_BUCKETS } from '#core/contract/rowsFile.ts';
import { FILTERED_FORMS, TRAINER_FORMS } from './filteredFile.ts';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { FINDING_IDS } from '#features/datasets/shared/findings/findingKinds.ts';
import { contextTextSchema } from './rowView.ts';

const tagSchema = wordsSchema(DATA_LIMITS.tag).check(oneLineCheck, wholePairsCheck);

/** Whose rows: a dataset's, with all of them, or a snapshot's. */
export interface RowsOf {
  readonly kind: 'dataset' | 'snapshot';
  readonly id: string;
}

/** Which rows of a page; a filter that is empty is none. */
export interface RowsQuestion {
  /** The first position that is looked at. */
  readonly from?: number;
  readonly limit?: number;
  readonly search?: string;
  /** A kind of finding. */
  readonly finding?: string;
  readonly tag?: string;
  readonly side?: string;
  /** Rows that were `set_aside` or `edited`. */
  readonly mark?: string;
  /** Places of rows, with commas between them. */
  readonly positions?: string;
}

const ROW_MARKS = ['set_aside', 'edited'] as const;

/** The place of a row, in a path. */
export const positionSchema = wholeTextSchema(0, 999_999_999).check(z.describe('The place of the row, from 0.'));

const PLACES = new RegExp(String.raw`^\d{1,9}(?:,\d{1,9}){0,${DATA_LIMITS.placed - 1}}$`);

/** Places of rows as the text of an address. */
const placesSchema = z.pipe(
  z.string().check(z.regex(PLACES, `must be at most ${DATA_LIMITS.placed} places of rows, with commas between them`)),
  z.transform((text) => text.split(',').map(Number)),
);

const filterFields = {
  search: z
    .optional(z.string().check(maxCharacters(DATA_LIMITS.search)))
    .check(z.describe('A text of any message, in any case.')),
  finding: z.optional(z.enum(FINDING_IDS)).check(z.describe('Rows with a finding of this kind.')),
  tag: z.optional(tagSchema).check(z.describe('Rows with this tag.')),
  side: z.optional(z.enum(ROW_BUCKETS)).check(z.describe('Rows of this side of a snapshot, or with this bucket.')),
  mark: z.optional(z.enum(ROW_MARKS)).check(z.describe('Rows that were set aside, or edited.')),
  positions: z.optional(placesSchema).check(z.describe('Rows at these places, from 0, such as `4,17`.')),
};

/** The query of a page of rows: see RowsQuestion. */
export const rowsQuerySchema = z.strictObject({
  from: z.optional(positionSchema).check(z.describe('The first position that is looked at; `next` of the last page.')),
  limit: z.optional(wholeTextSchema(1, DATA_LIMITS.page)).check(z.describe('Rows of the page.')),
  ...filterFields,
});

/** `GET .../filtered-rows`: all rows that the filters leave. */
export const filteredQuerySchema = z.strictObject({
  ...filterFields,
  form: z
    .optional(z.enum(FILTERED_FORMS))
    .check(
      z.describe(
        '`original`: the lines that the rows came from; a trainer or service: its own form. Absent: the rows as they count.',
      ),
    ),
});

/** `GET .../fits`: which trainers and services take the rows that the filters leave, in their own forms. */
export const fitsQuerySchema = z.strictObject(filterFields);

const misfitSchema = z.strictObject({ position: countSchema, reason: z.string() });

export const fitListSchema = z.strictObject({
  rows: countSchema,
  fits: z.array(
    z.strictObject({
      form: z.enum(TRAINER_FORMS),
      name: z.string(),
      misfits: countSchema.check(z.describe('Rows that it does not take, or that its form can not express.')),
      first: z.nullable(misfitSchema).check(z.describe('The first of them; null: there is none.')),
    }),
  ),
});
export type FitList = z.infer<typeof fitListSchema>;

const markFields = {
  is_set_aside: z.boolean(),
  tags: z.array(tagSchema).check(z.maxLength(DATA_LIMITS.tags)),
};

const sideSchema = z
  .nullable(z.enum(ROW_BUCKETS))
  .check(z.describe('Of a snapshot: its side. Of a dataset: the bucket that the row was given; null: none.'));

const rowSummarySchema = z.strictObject({
  position: countSchema,
  hash: z.string().check(z.describe('16 hex digits: the same for the same content.')),
  side: sideSchema,
  messages: countSchema,
  tools: countSchema,
  /** Of all messages, in UTF-16 units. */
  characters: countSchema,
  tokens: z.nullable(countSchema).check(z.describe('By the model of the last statistics; null: not counted.')),
  /** The start of the first message of the user and of the last one of the assistant; of the place that a search found. */
  question: z.string(),
  answer: z.string(),
  ...markFields,
  is_edited: z.boolean(),
  other: z
    .nullable(countSchema)
    .check(z.describe('Of rows with a finding that was asked for: the row that it was compared with.')),
});
export type RowSummary = z.infer<typeof rowSummarySchema>;

export const rowPageSchema = z.strictObject({
  /** Rows without any filter. */
  total: countSchema,
  rows: z.array(rowSummarySchema),
  /** Where the next page begins; null: this was the last. A page can be empty and have a next one: a search takes time. */
  next: z.nullable(countSchema),
  /** Rows that the filters find; null: not known before the last page. */
  found: z.nullable(countSchema),
});
export type RowPage = z.infer<typeof rowPageSchema>;

const chatRowSchema = z.record(z.string(), z.unknown());

export const wholeRowSchema = z.strictObject({
  position: countSchema,
  hash: z.string(),
  side: sideSchema,
  row: chatRowSchema.check(z.describe('`messages`, `tools` and what else it has; as it was edited.')),
  original: z.nullable(z.string()).check(z.describe('The line of the file, where it differs from the row.')),
  before: z.nullable(chatRowSchema).check(z.describe('The row before it was edited; null: it was not.')),
  ...markFields,
  /** `others`: positions of the rows that it is a duplicate, leak or contradiction of. */
  findings: z.array(z.strictObject({ kind: z.string(), about: z.string(), others: z.array(countSchema) })),
});
export type WholeRow = z.infer<typeof wholeRowSchema>;

/** Other forms of rows are taken, too: `toChatRow` of shared/data reads it. */
const editedRowSchema = z
  .record(z.string(), z.unknown())
  .check(z.meta({ allOf: [{ $ref: '#/components/schemas/NewRow' }] }));

/** The marks of one row, as they were or as they shall be. `edited`: the row; null: as it was imported. */
const rowMarksSchema = z.strictObject({
  position: countSchema,
  ...markFields,
  edited: z.nullable(editedRowSchema),
  after: z
    .optional(z.strictObject({ ...markFields, edited_hash: z.nullable(z.string().check(maxCharacters(200))) }))
    .check(z.describe('As the change left them: what others have changed since is kept. Absent: all is written.')),
});
export type RowMarks = z.infer<typeof rowMarksSchema>;

const positionsSchema = z.array(countSchema).check(z.minLength(1), z.maxLength(DATA_LIMITS.marks));

/** `POST .../datasets/{datasetId}/marks`: one change of rows, or what an earlier answer gave as `undo`. */
export const marksRequestSchema = z.discriminatedUnion(
  'change',
  [
    z.strictObject({ change: z.literal('set_aside'), positions: positionsSchema, is_set_aside: z.boolean() }),
    z.strictObject({ change: z.literal('tag'), positions: positionsSchema, tag: tagSchema, is_tagged: z.boolean() }),
    z.strictObject({
      change: z
        .literal('clean_nulls')
        .check(z.describe('Removes nulls of calls and tools that the tools do not declare.')),
      positions: positionsSchema,
    }),
    z.strictObject({ change: z.literal('edit'), position: countSchema, row: z.nullable(editedRowSchema) }),
    z.strictObject({
      change: z.literal('restore'),
      rows: z.array(rowMarksSchema).check(z.maxLength(DATA_LIMITS.marks)),
    }),
  ],
  'must be "set_aside", "tag", "edit", "clean_nulls" or "restore"',
);
export type MarksRequest = z.infer<typeof marksRequestSchema>;

export const marksMadeSchema = z.strictObject({
  /** Rows that are marked in another way now. */
  changed: countSchema,
  /** Rows that others have edited since the change that is undone, and that stay as they edited them. */
  kept: countSchema,
  /** Send it to undo the change. */
  undo: z.strictObject({ change: z.literal('restore'), rows: z.array(rowMarksSchema) }),
});
export type MarksMade = z.infer<typeof marksMadeSchema>;

const workFields = {
  state: z.enum(['running', 'done', 'failed']),
  /** 0 to 1. */
  progress: z.number(),
  error: z.nullable(z.string()),
  is_old: z
    .boolean()
    .check(z.describe('Until the work is done, the figures of before the last change of rows are told.')),
};

const namedCountSchema = z.strictObject({ name: z.string(), count: countSchema });
const binSchema = z.strictObject({ from: countSchema, to: countSchema, count: countSchema });

/** `to` is not in the range of a bin. */
const lengthFields = {
  min: countSchema,
  median: countSchema,
  max: countSchema,
  total: countSchema,
  bins: z.array(binSchema),
};

const modelQuery = {
  model: z
    .optional(z.string().check(z.minLength(1)))
    .check(z.describe('A model whose tokens are counted; absent: one that was asked for before, or none.')),
};
export const findingsQuerySchema = z.strictObject(modelQuery);
export const statisticsQuerySchema = z.strictObject({
  ...modelQuery,
  context: z
    .optional(contextTextSchema)
    .check(z.describe("Tokens for which cuts are told; absent: the model's own context.")),
});

const tokensSchema = z.strictObject({
  model: z.string(),
  context: z.nullable(countSchema).check(z.describe("Tokens for which cuts are told: asked for, or the model's own.")),
  /** Rows whose tokens were counted: of many rows some, evenly spread. */
  rows: countSchema,
  ...lengthFields,
  trained: countSchema,
  cut_rows: countSchema.check(z.describe('Rows with more tokens than the context.')),
  cut_tokens: countSchema,
  untrained_rows: countSchema.check(z.describe("Rows of which nothing is trained in the model's own context.")),
  compared_rows: countSchema.check(
    z.describe('Rows for DPO or KTO. Their tokens are those of the longer answer with the prompt; `total` has both.'),
  ),
  error: z.nullable(z.string()).check(z.describe('Why tokens were not counted.')),
});

export const statisticsSchema = z.strictObject({
  ...workFields,
  rows: countSchema,
  /** Of a row, in UTF-16 units. */
  characters: z.strictObject(lengthFields),
  /** Of a row, by a base model's own template and tokenizer; null: no model was named. */
  tokens: z.nullable(tokensSchema),
  /** Messages of a row. */
  messages: z.array(namedCountSchema),
  /** Messages of each role, rows that offer each tool, rows in each language; most frequent first. */
  roles: z.array(namedCountSchema),
  tools: z.array(namedCountSchema),
  languages: z.array(namedCountSchema),
  /** Tags that people gave to rows. */
  tags: z.array(namedCountSchema),
  set_aside_count: countSchema,
  edited_count: countSchema,
});
export type Statistics = z.infer<typeof statisticsSchema>;

export const findingListSchema = z.strictObject({
  ...workFields,
  findings: z.array(
    z.strictObject({
      kind: z.enum(FINDING_IDS),
      /** What it is and why it matters, in one sentence. */
      about: z.string(),
      /** Rows that have it. `removable`: copies, which can be set aside and leave one of each; at most as many as a change takes. */
      count: countSchema,
      /** The first groups of rows that belong together; of one row each where they don't. */
      groups: z.array(z.array(countSchema)),
      group_count: countSchema,
      removable: z.array(countSchema),
    }),
  ),
});
export type FindingList = z.infer<typeof findingListSchema>;
export type Finding = FindingList['findings'][number];
