// What the YAML configs have in common: one document for each candidate, its name and origin in comments.
// It must not know any trainer's fields.
import { toComment, toYamlLine, type ConfigValue } from './configText';
import type { ExportInput } from './exportInput';
import { toTrainingFacts, type Fact, type TrainingFacts } from './trainingFacts';
import { toBatchNote, toBatchParts } from './trainingMemory';

/** The field's line, or a comment with the reason why it has none. */
export function toFactLine(key: string, { value, note }: Fact): string {
  return value === null ? toComment(`${key}: ${note}`) : toYamlLine(key, value);
}

/** The same for a text that may not be known. */
export function toKnownLine(key: string, value: ConfigValue | null, otherwise: string): string {
  return value === null ? toComment(`${key}: ${otherwise}`) : toYamlLine(key, value);
}

export const toModelHint = ({ base_model_id }: TrainingFacts): string => `the studio calls it "${base_model_id}"; put its name on the hub, or its path, here`;

export function toDataHint({ snapshot_id }: TrainingFacts): string {
  return `put the training rows${snapshot_id === null ? '' : ` of snapshot ${snapshot_id}`} here: one JSON object a line, with "messages"`;
}

/** `training`, with the number of its snapshot where there are several: no two snapshots share a file. */
export function toDataName({ dataPlace }: TrainingFacts, joint: string): string {
  return dataPlace === null ? 'training' : `training${joint}${dataPlace}`;
}

/** The batch in parts that fit on one device. */
export function toBatchLines(perDevice: string, { batch }: TrainingFacts): readonly string[] {
  if (batch.value === null) return [toFactLine(perDevice, batch)];
  const { micro, accumulation } = toBatchParts(batch.value);
  return [toYamlLine(perDevice, micro, toBatchNote(batch.value)), toYamlLine('gradient_accumulation_steps', accumulation)];
}

export function toYamlDocuments(input: ExportInput, trainer: string, toLines: (facts: TrainingFacts) => readonly string[]): string {
  const all = toTrainingFacts(input);
  const documents = all.map((facts) => {
    const head = all.length === 1 ? `${trainer}: ${facts.name}` : `${trainer}, ${facts.place} of ${all.length}: ${facts.name}`;
    const unsaid = facts.unsaidNote === null ? [] : [toComment(facts.unsaidNote)];
    return `${[toComment(head), ...facts.about, ...unsaid, ...toLines(facts)].join('\n')}\n`;
  });
  const first = all.length > 1 ? `${toComment('Save each document as a file of its own.')}\n` : '';
  return `${first}${documents.join('---\n')}`;
}
