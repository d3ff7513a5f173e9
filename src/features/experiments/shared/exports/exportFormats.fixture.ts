// Input and formats for the tests of exports, and readers of what the formats write.
import { parseAllDocuments } from 'yaml';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { EXPORT_FORMATS, type FormatId } from './exportFormats.ts';
import type { ExportFormat, ExportInput } from './exportInput.ts';

export const toTestInput = (candidates: readonly Candidate[], more: Partial<ExportInput> = {}): ExportInput => ({
  snapshot_id: 'snap',
  name: 'First round',
  candidates,
  rate: { means: 'rate', saidBy: 'service' },
  validation: new Map(),
  rowFiles: new Map(),
  baseUrl: 'https://studio.example.com',
  isRemote: false,
  ...more,
});

/** The configs of all trainers. */
export const CONFIGS = EXPORT_FORMATS.filter(({ kind }) => kind === 'config');
export const YAML_CONFIGS = CONFIGS.filter(({ language }) => language === 'yaml');

export function formatOf(id: FormatId): ExportFormat {
  const found = EXPORT_FORMATS.find((format) => format.id === id);
  if (!found) throw new Error(`There is no format ${id}.`);
  return found;
}

const WAYS = ['full', 'lora', 'qlora', 'dora', null];
/** Each way of training, with usable and with unusable values. */
export const EVERY_WAY = WAYS.flatMap((training_type) => [
  toTestCandidate(`${training_type}`, { training_type, base_model_id: 'qwen3-0.6b' }),
  toTestCandidate(`${training_type}?`, {
    training_type,
    // It is not certain which one it is, so its name on the hub is to be filled in.
    base_model_id: 'gemma3-1b',
    n_epochs: null,
    batch_size: 2.5,
    learning_rate_multiplier: -1,
  }),
]);

export type Config = Record<string, unknown> & { datasets?: Record<string, unknown>[] };

/** What stands where a learning rate is still to be set: no parser takes it. */
const RATE_ALIAS = /\*set_the_learning_rate__[\w-]+/g;

export function readYaml(text: string): Config[] {
  // PyYAML, which the trainers use, follows 1.1.
  const set = text.replaceAll(RATE_ALIAS, '1');
  return [...parseAllDocuments(set, { version: '1.1' })].map((document) => {
    if ('errors' in document && document.errors.length > 0) throw document.errors[0]!;
    return ('toJS' in document ? document.toJS() : null) as Config;
  });
}
