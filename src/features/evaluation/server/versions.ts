// Versions of an evaluation: what is asked, and how answers are judged.
import { and, eq } from 'drizzle-orm';
import type { EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import type { EvaluationSettings, VersionChange } from '#features/evaluation/shared/contract/evaluations.ts';
import type { Orm } from '#service/database/database.ts';
import { found } from '#service/http/httpProblem.ts';
import { versions } from './evaluationTables.ts';

/** A version as the work reads it. */
export interface VersionContent {
  readonly row_set_id: string;
  readonly prompt: string | null;
  readonly system: string | null;
  readonly checks: readonly EvaluationCheck[];
  readonly settings: EvaluationSettings;
}

export type VersionRecord = typeof versions.$inferSelect;

export const toContent = ({ row_set_id, prompt, system, checks, settings }: VersionRecord): VersionContent => ({
  row_set_id,
  prompt,
  system,
  checks: JSON.parse(checks) as EvaluationCheck[],
  settings: JSON.parse(settings) as EvaluationSettings,
});

export async function readContent(orm: Orm, evaluationId: string, version: number): Promise<VersionContent> {
  const [record] = await orm
    .select()
    .from(versions)
    .where(and(eq(versions.evaluation_id, evaluationId), eq(versions.version, version)));
  return toContent(found(record ?? null, 'version', String(version), 'version'));
}

export const insertVersion = (
  orm: Orm,
  place: Pick<VersionRecord, 'evaluation_id' | 'version' | 'created_at' | 'created_by'>,
  { checks, settings, ...content }: VersionContent,
) =>
  orm
    .insert(versions)
    .values({ ...place, ...content, checks: JSON.stringify(checks), settings: JSON.stringify(settings) });

/** What of a version differs from the one before. */
export function findChanges(before: VersionContent, after: VersionContent): VersionChange[] {
  const isOther = (name: 'checks' | 'settings'): boolean =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return [
    ...(before.row_set_id === after.row_set_id ? [] : (['rows'] as const)),
    ...(before.prompt === after.prompt && before.system === after.system ? [] : (['prompt'] as const)),
    ...(isOther('checks') ? (['checks'] as const) : []),
    ...(isOther('settings') ? (['settings'] as const) : []),
  ];
}
