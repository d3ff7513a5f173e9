// For tests: an evaluation of the project.
import { openEvaluationImport } from '#features/evaluation/server/evaluationTransfer.ts';
import type { Database } from '#service/database/database.ts';

/** Two versions of one set of rows, and one of another, long one. */
export async function addEvaluation(database: Database, dataset_id: string, snapshot_id: string): Promise<void> {
  const [project] = (await database.executeSql('select id from studio.projects', [])).rows as { id: string }[];
  const evaluation_id = '0a0b0c0d-0000-4000-8000-000000000005';
  const into = openEvaluationImport({
    write: (work) => database.orm.transaction(work),
    toId: (given) => given,
    refuse: (message) => new Error(message),
  });
  const at = { created_at: '2026-11-20T10:00:00.000Z', updated_at: '2026-11-21T10:00:00.000Z' };
  const plan = { models: ['support-base'], repeats: 2, baseline: 'support-base', is_default: true, version: 3 };
  const project_id = project?.id ?? '';
  await into.take({ kind: 'evaluation', id: evaluation_id, project_id, dataset_id, name: 'Triage', ...plan, ...at });
  const toRows = (count: number, length: number) =>
    Array.from({ length: count }, (_, row) => ({
      messages: [{ role: 'user' as const, content: `${row} `.padEnd(length, 'ü') }],
      expected: 'yes',
      tags: { kind: row % 2 === 0 ? 'even' : 'odd' },
    }));
  const version = {
    kind: 'evaluation-version' as const,
    evaluation_id,
    system: 'Be brief.',
    settings: { temperature: 0 },
  };
  const checks = [{ id: 'same', kind: 'exact' as const }];
  const source = { kind: 'snapshot' as const, snapshot_id };
  const rows = { kind: 'evaluation-rows' as const, evaluation_id, source, first: 0 };
  await into.take({ ...rows, set: 0, rows: toRows(300, 10) });
  const { created_at } = at;
  await into.take({ ...version, set: 0, version: 1, prompt: null, checks: [], created_at });
  await into.take({ ...version, set: 0, version: 2, prompt: null, checks, created_at });
  await into.take({ ...rows, set: 1, rows: toRows(3, 3_000_000) });
  await into.take({ ...version, set: 1, version: 3, prompt: null, checks, created_at });
  await into.end();
}
