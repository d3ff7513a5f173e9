// For tests: a run of a folder of which little is known.
import type { Run } from '#features/runs/shared/runs.ts';

export const toRun = (fields: Partial<Run> = {}): Run => ({
  id: 'r',
  root_id: '',
  label: '',
  folder: '',
  status: 'stopped',
  status_reason: '',
  is_status_certain: false,
  formats: [],
  started_at: null,
  ended_at: null,
  last_sign_at: null,
  step: null,
  total_steps: null,
  parts: [],
  facts: [],
  parameters: [],
  environment: [],
  summary: [],
  metrics: [],
  checkpoints: [],
  row_files: [],
  problems: [],
  ...fields,
});
