// The common parts of YAML configs: one document for each candidate, with its name and origin in comments.
import { toComment, toYamlLine, type ConfigValue } from '#features/experiments/shared/configText.ts';
import type { ExportInput } from './exportInput.ts';
import { toTrainingFacts, type Fact, type TrainingFacts } from '#features/experiments/shared/trainingFacts.ts';
import { toBatchNote, toBatchParts } from '#features/experiments/shared/trainingMemory.ts';

/** The field's line, or a comment that says why the value is missing. */
export function toFactLine(key: string, { value, note }: Fact): string {
  return value === null ? toComment(`${key}: ${note}`) : toYamlLine(key, value);
}

/**
 * The learning rate. If it is missing, the trainer must not use its default. So the value is an alias without an
 * anchor: every YAML parser refuses it, and its error names the alias, the line and so the reason.
 */
export function toRateLines({ rate }: TrainingFacts): readonly string[] {
  if (rate.value !== null) return [toYamlLine('learning_rate', rate.value, rate.note)];
  const reason = rate.reason.replaceAll(/[^A-Za-z0-9-]+/g, '_');
  return [
    toComment(`learning_rate: ${rate.note}`),
    toComment('Put the number in place of the next value; until then no parser accepts this file.'),
    `learning_rate: *set_the_learning_rate__${reason}`,
  ];
}

/** The field's line, or a comment if the value is unknown. */
export function toKnownLine(key: string, value: ConfigValue | null, otherwise: string): string {
  return value === null ? toComment(`${key}: ${otherwise}`) : toYamlLine(key, value);
}

export function toModelHint({ base_model_id, hubDoubt }: TrainingFacts): string {
  return (
    `the studio calls it "${base_model_id}"${hubDoubt === null ? '' : ` (${hubDoubt})`}; put its name on the hub, ` +
    'or its path, here'
  );
}

function toRowsHint(what: string, { snapshot_id, rowFiles }: TrainingFacts): string {
  const rows = `the ${what} rows${snapshot_id === null ? '' : ` of snapshot ${snapshot_id}`}`;
  return rowFiles === null
    ? `put ${rows} here: one JSON object a line, with "messages"`
    : `${rows}, as the studio's Download menu gives them`;
}

export const toDataHint = (facts: TrainingFacts): string => toRowsHint('training', facts);
export const toEvalHint = (facts: TrainingFacts): string =>
  toRowsHint(facts.validationCount === null ? 'validation' : `${facts.validationCount} validation`, facts);

const toNumbered = (name: string, { dataPlace }: TrainingFacts, joint: string): string =>
  dataPlace === null ? name : `${name}${joint}${dataPlace}`;

/** `training`, with a number if there are several snapshots: each has its own file. */
export const toDataName = (facts: TrainingFacts, joint: string): string => toNumbered('training', facts, joint);

/** `validation`, likewise; null if the snapshot has no validation rows. */
export const toEvalName = (facts: TrainingFacts, joint: string): string | null =>
  facts.validationCount === null ? null : toNumbered('validation', facts, joint);

/** The file of the training rows: the studio's own, else one that a person makes. */
export const toDataFile = (facts: TrainingFacts): string =>
  facts.rowFiles?.training ?? `${toDataName(facts, '-')}.jsonl`;

/** The file of the validation rows; null if the snapshot has none. */
export function toEvalFile(facts: TrainingFacts): string | null {
  const name = toEvalName(facts, '-');
  return name === null ? null : (facts.rowFiles?.validation ?? `${name}.jsonl`);
}

/** The batch size in parts that fit on one device. */
export function toBatchLines(perDevice: string, { batch }: TrainingFacts): readonly string[] {
  if (batch.value === null) return [toFactLine(perDevice, batch)];
  const { micro, accumulation } = toBatchParts(batch.value);
  return [
    toYamlLine(perDevice, micro, toBatchNote(batch.value)),
    toYamlLine('gradient_accumulation_steps', accumulation),
  ];
}

/** `checked`: what the fields were compared with, as no trainer has run the config. */
export function toYamlDocuments(
  input: ExportInput,
  trainer: string,
  checked: string,
  toLines: (facts: TrainingFacts) => readonly string[],
): string {
  const all = toTrainingFacts(input);
  const documents = all.map((facts) => {
    const head =
      all.length === 1 ? `${trainer}: ${facts.name}` : `${trainer}, ${facts.place} of ${all.length}: ${facts.name}`;
    return `${[toComment(head), toComment(checked), ...facts.about, toComment(facts.recipe.note), ...toLines(facts)].join('\n')}\n`;
  });
  const first = all.length > 1 ? `${toComment('Save each document as a file of its own.')}\n` : '';
  return `${first}${documents.join('---\n')}`;
}
