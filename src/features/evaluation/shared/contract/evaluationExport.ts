// Runs of evaluations as files.
import * as z from 'zod/mini';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { maxCharacters } from '#core/contract/schemas.ts';
import { PREFERENCE_FORMS } from '#features/evaluation/shared/exports/preferenceLines.ts';

export const exportQuerySchema = z.strictObject({
  form: z.optional(z.enum(['jsonl', 'html'])).check(z.describe('`jsonl` if absent.')),
});

const modelField = z.optional(z.string().check(z.minLength(1), maxCharacters(REQUEST_LIMITS.modelCharacters)));

export type PreferencesForm = (typeof PREFERENCE_FORMS)[number];

export const preferencesQuerySchema = z.strictObject({
  form: z.optional(z.enum(PREFERENCE_FORMS)).check(z.describe('`dpo` if absent: pairs. `kto`: answers with a label.')),
  chosen: modelField.check(z.describe('Whose passed answers are taken; absent: those of any model.')),
  rejected: modelField.check(z.describe('Whose failed answers are taken; absent: those of any model.')),
});
