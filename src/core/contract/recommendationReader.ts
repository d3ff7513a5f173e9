// Reads a recommendation record from any service (SPEC 4.2), and tolerates missing fields: a missing value is null, a
// missing list empty. It uses no schema library: the browser loads this with its first view.
import { readError } from './errors.ts';
import {
  arrayOr,
  isObject,
  readFields,
  textOr,
  toNumberOrNull,
  toTextOrNull,
  toTrainingType,
  type JsonObject,
  type Read,
  type ReadFields,
} from './readJson.ts';

const HYPERPARAMETERS = {
  n_epochs: toNumberOrNull,
  batch_size: toNumberOrNull,
  learning_rate_multiplier: toNumberOrNull,
};

export type ReadHyperparameters = Omit<ReadFields<typeof HYPERPARAMETERS>, 'extra'>;

const toTraining = (value: unknown): ReadFields<typeof HYPERPARAMETERS> | null =>
  isObject(value) ? readFields(value, HYPERPARAMETERS) : null;

const ADVICE = {
  base_model_id: (value: unknown): string => textOr(value, 'unknown'),
  recommended: (value: unknown): boolean => value === true,
  reason_for_recommendation: toTextOrNull,
};

/** What our service recommends for elsewhere is recommended, too: who reads it sees the base model. */
const toAdvice = ({ recommended_elsewhere: isElsewhere, ...fields }: JsonObject, mark: JsonObject): JsonObject =>
  isElsewhere === true ? { ...fields, ...mark, recommended: true } : fields;

const MODEL = { ...ADVICE, full_hyperparameters: toTraining, lora_hyperparameters: toTraining };
export type ReadModelRecommendation = ReadFields<typeof MODEL>;

const EXPERIMENT = {
  ...ADVICE,
  ...HYPERPARAMETERS,
  /** See toTrainingType. */
  training_type: toTextOrNull,
  /** The service recommends it, and can't train it itself. */
  is_elsewhere: (value: unknown): boolean => value === true,
};
type ReadExperimentRecommendation = ReadFields<typeof EXPERIMENT>;

function toExperiment(value: unknown): ReadExperimentRecommendation[] {
  if (!isObject(value)) return [];
  const { lora: _lora, ...fields } = toAdvice(value, { is_elsewhere: true });
  return [{ ...readFields(fields, EXPERIMENT), training_type: toTrainingType(value) }];
}

const RECORD = {
  snapshot_id: (value: unknown): string => textOr(value, ''),
  /** An unknown one is kept. */
  status: toTextOrNull,
  recommended_models: (value: unknown): readonly ReadModelRecommendation[] =>
    arrayOr(value).flatMap((entry) => (isObject(entry) ? [readFields(toAdvice(entry, {}), MODEL)] : [])),
  recommended_experiments: (value: unknown): readonly ReadExperimentRecommendation[] =>
    arrayOr(value).flatMap(toExperiment),
};

export type ReadRecommendation = ReadFields<typeof RECORD> & {
  readonly status: string;
  /** Why it failed; null if it did not fail or the service sends no reason. ASSUMED: not in SPEC. */
  readonly error: string | null;
};

/** Reads a record from any service. Fails only if the answer is not an object or has no status. */
export function readRecommendation(body: unknown): Read<ReadRecommendation> {
  if (!isObject(body)) return { ok: false, reason: 'the answer is not an object' };
  const { error, ...withoutError } = body;
  // `error` as a text is complete in the message; any other form also stays in `extra`.
  const isSaid = typeof error === 'string' || error === null || error === undefined;
  const { status, ...record } = readFields(isSaid ? withoutError : body, RECORD);
  if (status === null) return { ok: false, reason: 'the recommendation has no status' };
  const message = error === undefined || error === null ? null : readError({ error }, '').message || null;
  return { ok: true, value: { ...record, status, error: message } };
}
