// What an import may change of what a project's file says. Without the schema library, because the page words them.

export const IMPORT_CHANGES = [
  'project_renamed',
  'model_renamed',
  'alias_dropped',
  'run_ended',
  'job_ended',
  'recommendation_ended',
  'date_moved',
] as const;

export type ImportChangeKind = (typeof IMPORT_CHANGES)[number];
