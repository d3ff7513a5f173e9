// Candidates as commands of TRL (`trl sft`). Flags: its ScriptArguments, SFTConfig and ModelConfig.
// It must not know other formats.
import { toComment, toConfigNumber, toShellWord, toSlug } from './configText';
import type { ExportInput } from './exportInput';
import { toTrainingFacts, type Fact, type TrainingFacts } from './trainingFacts';

/** Each snapshot and each base model has a variable of its own: no command can train on another's. */
const toVariable = (name: string, place: number | null): string => (place === null ? name : `${name}_${place}`);
const toModelName = ({ modelPlace }: TrainingFacts): string => toVariable('BASE_MODEL', modelPlace);
const toDatasetName = ({ dataPlace }: TrainingFacts): string => toVariable('DATASET', dataPlace);

/** A variable, and what the shell says when it isn't set; it stops there. */
const toNeeded = (name: string, what: string): string => `"\${${name}:?set it to ${what}}"`;

function toFlag(flag: string, { value }: Fact): readonly string[] {
  return value === null ? [] : [`--${flag} ${toConfigNumber(value)}`];
}

function toNotes(facts: TrainingFacts): readonly string[] {
  const of = (flag: string, { note }: Fact): readonly string[] => (note === null ? [] : [`${flag}: ${note}`]);
  return [
    ...(facts.hub === null ? [`${toModelName(facts)}: the studio calls it "${facts.base_model_id}"`] : []),
    ...(facts.way === null ? [`use_peft: training type ${facts.wayNote ?? ''}; without it every weight is trained`] : []),
    ...((facts.way === 'lora' || facts.way === 'qlora') && facts.rankNote !== null ? [`lora_r, lora_alpha: ${facts.rankNote}`] : []),
    ...(facts.unsaidNote === null ? [] : [facts.unsaidNote]),
    ...of('num_train_epochs', facts.epochs),
    ...of('per_device_train_batch_size', facts.batch),
    ...of('learning_rate', facts.rate),
  ];
}

function toCommand(facts: TrainingFacts, of: number): string {
  const { batch, way } = facts;
  const isLora = way === 'lora' || way === 'qlora';
  const flags = [
    `--model_name_or_path ${facts.hub === null ? toNeeded(toModelName(facts), 'the name on the hub, or the path, of the base model') : toShellWord(facts.hub)}`,
    `--dataset_name ${toNeeded(toDatasetName(facts), 'a dataset on the hub, or a folder with the training rows as JSONL')}`,
    ...(isLora ? [`--use_peft`, `--lora_r ${facts.rank}`, `--lora_alpha ${facts.alpha}`] : []),
    ...(way === 'qlora' ? ['--load_in_4bit'] : []),
    ...toFlag('num_train_epochs', facts.epochs),
    ...toFlag('per_device_train_batch_size', batch),
    ...(batch.value === null ? [] : ['--gradient_accumulation_steps 1']),
    ...toFlag('learning_rate', facts.rate),
    `--output_dir ${toShellWord(`outputs/${toSlug(facts.place, facts.name)}`)}`,
  ];
  const snapshot = facts.snapshot_id === null ? [] : [`${toDatasetName(facts)}: the training rows of snapshot ${facts.snapshot_id}`];
  const name = of === 1 ? facts.name : `${facts.place} of ${of}: ${facts.name}`;
  const head = [toComment(name), ...facts.about, ...[...snapshot, ...toNotes(facts)].map(toComment)];
  return `${head.join('\n')}\ntrl sft \\\n  ${flags.join(' \\\n  ')}\n`;
}

function toHead(facts: readonly TrainingFacts[]): string {
  const isQuantized = facts.some(({ way }) => way === 'qlora');
  const names = [...new Set(facts.flatMap((one) => [toDatasetName(one), ...(one.hub === null ? [toModelName(one)] : [])]))].toSorted();
  return [
    `# TRL: pip install "trl[peft]"${isQuantized ? ' bitsandbytes' : ''}, then set ${names.join(', ')} and run this file with sh.`,
    '# per_device_train_batch_size times gradient_accumulation_steps times devices is the batch size.',
    '# max_length: not given; set it to the length of your longest row.',
    'set -eu',
  ].join('\n');
}

export function toTrlConfig(input: ExportInput): string {
  const facts = toTrainingFacts(input);
  return `${toHead(facts)}\n\n${facts.map((one) => toCommand(one, facts.length)).join('\n')}`;
}
