// Candidates as commands of TRL (`trl sft`). Flags: its ScriptArguments, SFTConfig and ModelConfig.
import { toComment, toConfigNumber, toShellWord, toSlug } from './configText.ts';
import type { ExportInput } from './exportInput.ts';
import { toTrainingFacts, type Fact, type TrainingFacts } from './trainingFacts.ts';
import { MAX_LENGTH, toBatchNote, toBatchParts, toLengthNote } from './trainingMemory.ts';

/** Each snapshot and each base model has its own variable, so no command can use another's by mistake. */
const toVariable = (name: string, place: number | null): string => (place === null ? name : `${name}_${place}`);
const toModelName = ({ modelPlace }: TrainingFacts): string => toVariable('BASE_MODEL', modelPlace);
const toDatasetName = ({ dataPlace }: TrainingFacts): string => toVariable('DATASET', dataPlace);

/** A variable that must be set: else the shell stops with the message. */
const toNeeded = (name: string, what: string): string => `"\${${name}:?set it to ${what}}"`;

/**
 * With several candidates each missing learning rate has its own variable, because multipliers differ.
 */
const toRateName = ({ place }: TrainingFacts, of: number): string =>
  toVariable('LEARNING_RATE', of === 1 ? null : place);

/** Without this flag TRL would use its own default. If the rate is missing, the command stops instead. */
function toRateFlag(facts: TrainingFacts, of: number): string {
  const { rate } = facts;
  const value =
    rate.value === null
      ? toNeeded(toRateName(facts, of), `the learning rate, as ${rate.reason}`)
      : toConfigNumber(rate.value);
  return `--learning_rate ${value}`;
}

function toFlag(flag: string, { value }: Fact): readonly string[] {
  return value === null ? [] : [`--${flag} ${toConfigNumber(value)}`];
}

/** The variable with the folder of TRL's own templates. */
const TEMPLATES = 'TRL_TEMPLATES';
const FIND_TEMPLATES =
  `${TEMPLATES}="$(python -c 'import os, trl; print(os.path.join(os.path.dirname(trl.__file__), ` +
  '"chat_templates"))\')"';

const isMasked = ({ template }: TrainingFacts): boolean => template?.trl.from === 'file';

/**
 * With the tokenizer's template, or one from a file, the flag --eos_token must set the end of a turn. A template from
 * another tokenizer sets it itself.
 */
function toTemplateFlags({ template }: TrainingFacts): readonly string[] {
  if (template === null) return [];
  const { trl, endOfTurn } = template;
  if (trl.from === 'repository') return [`--chat_template_path ${toShellWord(trl.repository)}`];
  const end = `--eos_token ${toShellWord(endOfTurn)}`;
  return trl.from === 'file'
    ? [`--chat_template_path "$${TEMPLATES}/${trl.file}"`, end, '--assistant_only_loss true']
    : [end];
}

/** TRL refuses assistant_only_loss for a template without a training version. */
function toLossNote(facts: TrainingFacts): string {
  if (isMasked(facts)) return "Loss: the assistant's turns alone, prompts are masked (assistant_only_loss).";
  return (
    'Loss: every token, prompts too: assistant_only_loss works in templates that TRL knows alone. Rows with ' +
    '"prompt" and "completion" instead of "messages" count the completion alone.'
  );
}

function toNotes(facts: TrainingFacts): readonly string[] {
  const of = (flag: string, { note }: Fact): readonly string[] => (note === null ? [] : [`${flag}: ${note}`]);
  return [
    ...(facts.hub === null
      ? [
          `${toModelName(facts)}: the studio calls it ` +
            `"${facts.base_model_id}"${facts.hubDoubt === null ? '' : ` (${facts.hubDoubt})`}`,
        ]
      : []),
    ...(facts.method === null
      ? [`use_peft: training type ${facts.methodNote ?? ''}; without it every weight is trained`]
      : []),
    ...((facts.method === 'lora' || facts.method === 'qlora') && facts.rankNote !== null
      ? [`lora_r, lora_alpha: ${facts.rankNote}`]
      : []),
    ...(facts.template === null
      ? [
          "chat_template_path: not known for this base model; without it the tokenizer's template is taken, and " +
            'training stops where that has none',
        ]
      : []),
    toLossNote(facts),
    ...(facts.defaultsNote === null ? [] : [facts.defaultsNote]),
    ...(facts.batch.value === null
      ? []
      : [`per_device_train_batch_size, gradient_accumulation_steps: ${toBatchNote(facts.batch.value)}`]),
    ...of('num_train_epochs', facts.epochs),
    ...of('per_device_train_batch_size', facts.batch),
    ...(facts.rate.note === null ? [] : [`learning_rate: ${facts.rate.note}`]),
    'tools: TRL reads a column "tools" by itself; write the arguments of tool calls as objects, not as text',
  ];
}

function toBatchFlags({ value }: Fact): readonly string[] {
  if (value === null) return [];
  const { micro, accumulation } = toBatchParts(value);
  return [`--per_device_train_batch_size ${micro}`, `--gradient_accumulation_steps ${accumulation}`];
}

function toDatasetHint({ validationCount }: TrainingFacts): string {
  const training = 'a dataset on the hub, or a folder with the training rows as training.jsonl';
  return validationCount === null ? training : `${training} and the validation rows as validation.jsonl`;
}

/** By default TRL evaluates eight rows at once. */
function toEvalFlags({ validationCount, batch }: TrainingFacts): readonly string[] {
  if (validationCount === null) return [];
  const size = batch.value === null ? [] : [`--per_device_eval_batch_size ${toBatchParts(batch.value).micro}`];
  return ['--dataset_test_split validation', '--eval_strategy epoch', ...size];
}

function toMethodFlags({ method, rank, alpha }: TrainingFacts): readonly string[] {
  if (method !== 'lora' && method !== 'qlora') return [];
  const adapter = ['--use_peft', `--lora_r ${rank}`, `--lora_alpha ${alpha}`, '--lora_target_modules all-linear'];
  return method === 'qlora' ? [...adapter, '--load_in_4bit'] : adapter;
}

function toCommand(facts: TrainingFacts, of: number): string {
  const model =
    facts.hub === null
      ? toNeeded(toModelName(facts), 'the name on the hub, or the path, of the base model')
      : toShellWord(facts.hub);
  const flags = [
    `--model_name_or_path ${model}`,
    ...toTemplateFlags(facts),
    `--dataset_name ${toNeeded(toDatasetName(facts), toDatasetHint(facts))}`,
    ...toEvalFlags(facts),
    `--max_length ${MAX_LENGTH}`,
    ...toMethodFlags(facts),
    ...toFlag('num_train_epochs', facts.epochs),
    ...toBatchFlags(facts.batch),
    toRateFlag(facts, of),
    `--output_dir ${toShellWord(`outputs/${toSlug(facts.place, facts.name)}`)}`,
  ];
  const rows =
    facts.validationCount === null
      ? 'the training rows'
      : `the training rows and the ${facts.validationCount} validation rows`;
  const snapshot =
    facts.snapshot_id === null ? [] : [`${toDatasetName(facts)}: ${rows} of snapshot ${facts.snapshot_id}`];
  const name = of === 1 ? facts.name : `${facts.place} of ${of}: ${facts.name}`;
  const head = [toComment(name), ...facts.about, ...[...snapshot, ...toNotes(facts)].map(toComment)];
  return `${head.join('\n')}\ntrl sft \\\n  ${flags.join(' \\\n  ')}\n`;
}

function toHead(facts: readonly TrainingFacts[]): string {
  const isQuantized = facts.some(({ method }) => method === 'qlora');
  const toNames = (one: TrainingFacts): readonly string[] => [
    toDatasetName(one),
    ...(one.hub === null ? [toModelName(one)] : []),
    ...(one.rate.value === null ? [toRateName(one, facts.length)] : []),
  ];
  const names = [...new Set(facts.flatMap(toNames))].toSorted(new Intl.Collator('en', { numeric: true }).compare);
  return [
    `# TRL: pip install "trl[peft]>=1.1"${isQuantized ? ' bitsandbytes' : ''}, then set ${names.join(', ')} and ` +
      'run this file with sh.',
    toComment(`max_length: ${toLengthNote('cut')}`),
    '# To save memory, TRL by itself turns on bf16 and gradient_checkpointing; the service says nothing of them.',
    'set -eu',
    ...(facts.some(isMasked)
      ? [
          '# TRL masks prompts in its own templates, compared letter by letter: they are taken from where it is ' +
            'installed.',
          FIND_TEMPLATES,
        ]
      : []),
  ].join('\n');
}

export function toTrlConfig(input: ExportInput): string {
  const facts = toTrainingFacts(input);
  return `${toHead(facts)}\n\n${facts.map((one) => toCommand(one, facts.length)).join('\n')}`;
}
