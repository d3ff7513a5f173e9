// Candidates as commands of TRL (`trl sft`). Flags: its ScriptArguments, SFTConfig and ModelConfig.
// It must not know other formats.
import { toComment, toConfigNumber, toShellWord, toSlug } from './configText';
import type { ExportInput } from './exportInput';
import { toTrainingFacts, type Fact, type TrainingFacts } from './trainingFacts';
import { MAX_LENGTH, toBatchNote, toBatchParts, toLengthNote } from './trainingMemory';

/** Each snapshot and each base model has a variable of its own: no command can train on another's. */
const toVariable = (name: string, place: number | null): string => (place === null ? name : `${name}_${place}`);
const toModelName = ({ modelPlace }: TrainingFacts): string => toVariable('BASE_MODEL', modelPlace);
const toDatasetName = ({ dataPlace }: TrainingFacts): string => toVariable('DATASET', dataPlace);

/** A variable, and what the shell says when it isn't set; it stops there. */
const toNeeded = (name: string, what: string): string => `"\${${name}:?set it to ${what}}"`;

function toFlag(flag: string, { value }: Fact): readonly string[] {
  return value === null ? [] : [`--${flag} ${toConfigNumber(value)}`];
}

/** Its own template in a base model's tokenizer still leaves the end of a text where the end of a turn belongs. */
function toTemplateFlags({ template }: TrainingFacts): readonly string[] {
  if (template === null) return [];
  const { trlSource, endOfTurn, isMaskedByTrl } = template;
  const source = trlSource === null ? `--eos_token ${toShellWord(endOfTurn)}` : `--chat_template_path ${toShellWord(trlSource)}`;
  return [source, ...(isMaskedByTrl ? ['--assistant_only_loss true'] : [])];
}

/** TRL refuses assistant_only_loss for a template that it has no training version of. */
function toLossNote({ template }: TrainingFacts): string {
  if (template?.isMaskedByTrl) return "Loss: the assistant's turns alone, prompts are masked (assistant_only_loss).";
  return 'Loss: every token, prompts too: assistant_only_loss works in templates that TRL knows alone. Rows with "prompt" and "completion" instead of "messages" count the completion alone.';
}

function toNotes(facts: TrainingFacts): readonly string[] {
  const of = (flag: string, { note }: Fact): readonly string[] => (note === null ? [] : [`${flag}: ${note}`]);
  return [
    ...(facts.hub === null ? [`${toModelName(facts)}: the studio calls it "${facts.base_model_id}"`] : []),
    ...(facts.way === null ? [`use_peft: training type ${facts.wayNote ?? ''}; without it every weight is trained`] : []),
    ...((facts.way === 'lora' || facts.way === 'qlora') && facts.rankNote !== null ? [`lora_r, lora_alpha: ${facts.rankNote}`] : []),
    ...(facts.template === null ? ["chat_template_path: not known for this base model; without it the tokenizer's template is taken, and training stops where that has none"] : []),
    toLossNote(facts),
    ...(facts.unsaidNote === null ? [] : [facts.unsaidNote]),
    ...(facts.batch.value === null ? [] : [`per_device_train_batch_size, gradient_accumulation_steps: ${toBatchNote(facts.batch.value)}`]),
    ...of('num_train_epochs', facts.epochs),
    ...of('per_device_train_batch_size', facts.batch),
    ...of('learning_rate', facts.rate),
  ];
}

function toBatchFlags({ value }: Fact): readonly string[] {
  if (value === null) return [];
  const { micro, accumulation } = toBatchParts(value);
  return [`--per_device_train_batch_size ${micro}`, `--gradient_accumulation_steps ${accumulation}`];
}

function toWayFlags({ way, rank, alpha }: TrainingFacts): readonly string[] {
  if (way !== 'lora' && way !== 'qlora') return [];
  const adapter = ['--use_peft', `--lora_r ${rank}`, `--lora_alpha ${alpha}`, '--lora_target_modules all-linear'];
  return way === 'qlora' ? [...adapter, '--load_in_4bit'] : adapter;
}

function toCommand(facts: TrainingFacts, of: number): string {
  const flags = [
    `--model_name_or_path ${facts.hub === null ? toNeeded(toModelName(facts), 'the name on the hub, or the path, of the base model') : toShellWord(facts.hub)}`,
    ...toTemplateFlags(facts),
    `--dataset_name ${toNeeded(toDatasetName(facts), 'a dataset on the hub, or a folder with the training rows as JSONL')}`,
    `--max_length ${MAX_LENGTH}`,
    ...toWayFlags(facts),
    ...toFlag('num_train_epochs', facts.epochs),
    ...toBatchFlags(facts.batch),
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
    `# TRL: pip install "trl[peft]>=1.1"${isQuantized ? ' bitsandbytes' : ''}, then set ${names.join(', ')} and run this file with sh.`,
    toComment(`max_length: ${toLengthNote('cut')}`),
    '# To save memory, TRL by itself turns on bf16 and gradient_checkpointing; the service says nothing of them.',
    'set -eu',
  ].join('\n');
}

export function toTrlConfig(input: ExportInput): string {
  const facts = toTrainingFacts(input);
  return `${toHead(facts)}\n\n${facts.map((one) => toCommand(one, facts.length)).join('\n')}`;
}
