// Candidates as commands of TRL (`trl sft`, `trl dpo`, `trl kto`). Flags: its ScriptArguments, ModelConfig, and SFTConfig,
// DPOConfig or KTOConfig.
import { toComment, toConfigNumber, toShellWord, toSlug } from '#features/experiments/shared/configText.ts';
import type { ExportInput } from './exportInput.ts';
import {
  toRowFileNames,
  toTrainingFacts,
  type Fact,
  type TrainingFacts,
} from '#features/experiments/shared/trainingFacts.ts';
import { toBatchNote, toBatchParts, toLength } from '#features/experiments/shared/trainingMemory.ts';
import { isCompared, isMasked, toFolder, toFolderCommands, toProgramLines, toRowForm } from './trlRows.ts';

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

/**
 * With the tokenizer's template, or one from a file, the flag --eos_token must set the end of a turn. A template from
 * another tokenizer sets it itself.
 */
function toTemplateFlags(facts: TrainingFacts): readonly string[] {
  const { template } = facts;
  // DPO and KTO take the tokenizer's.
  if (template === null || isCompared(facts)) return [];
  const { trl, endOfTurn } = template;
  if (trl.from === 'repository') return [`--chat_template_path ${toShellWord(trl.repository)}`];
  const end = `--eos_token ${toShellWord(endOfTurn)}`;
  return trl.from === 'file'
    ? [`--chat_template_path "$${TEMPLATES}/${trl.file}"`, end, '--assistant_only_loss true']
    : [end];
}

const isSplit = (facts: TrainingFacts): boolean => toRowForm(facts) === 'prompt-completion';

const COMPARED_LOSS = {
  dpo: 'Loss: DPO (sigmoid) of pairs of answers, prompts are masked.',
  kto:
    'Loss: KTO of answers with a label, prompts are masked. TRL keeps the order of the rows and compares each answer with ' +
    'the one before it, so rows must be in a random order',
};

function toLossNote(facts: TrainingFacts): string {
  const { objective, rowFiles } = facts;
  if (objective.name === 'dpo') return COMPARED_LOSS.dpo;
  if (objective.name === 'kto')
    return `${COMPARED_LOSS.kto}${rowFiles === null ? '.' : ': the program shuffles them; a pair becomes two.'}`;
  if (isMasked(facts)) return "Loss: the assistant's turns alone, prompts are masked (assistant_only_loss).";
  if (isSplit(facts))
    return (
      "Loss: the assistant's turns alone (completion_only_loss): each answer becomes a row of its own, with all that " +
      'came before it as the prompt.'
    );
  return (
    'Loss: every token, prompts too: assistant_only_loss works in templates that TRL knows alone. Rows with ' +
    '"prompt" and "completion" instead of "messages" count the completion alone.'
  );
}

const hasDropout = ({ method, dropout }: TrainingFacts): boolean =>
  dropout > 0 && (method === 'lora' || method === 'qlora');

/** What the studio means by its numbers, and TRL by the same ones. */
function toComparedNotes(facts: TrainingFacts): readonly string[] {
  const { batch } = facts;
  const { name, unit, packed } = facts.objective;
  return [
    `chat template: the tokenizer's own, as trl ${name} has no flag for another; training stops where it has none`,
    ...(batch.value === null
      ? []
      : [
          `batch: ${batch.value} ${unit} a step. A trainer that packs, as the one built into the studio, fills as many ` +
            `sequences of 128 tokens with whole ${unit}${packed === null ? '' : `: measured there: ${packed}`}`,
        ]),
    ...(facts.rate.value === null
      ? []
      : [
          `learning_rate: for ${name.toUpperCase()} already, and TRL takes the mean loss of a batch as the studio does`,
        ]),
    ...(hasDropout(facts) ? ["disable_dropout: TRL's default would switch off the dropout of the adapter too"] : []),
  ];
}

/** Also those that nobody chose: a later TRL may have other defaults. */
function toObjectiveFlags(facts: TrainingFacts): readonly string[] {
  const { name, settings } = facts.objective;
  if (name !== 'dpo' && name !== 'kto') return [];
  const names = name === 'dpo' ? (['beta'] as const) : (['beta', 'desirable_weight', 'undesirable_weight'] as const);
  return [
    ...names.map((setting) => `--${setting} ${toConfigNumber(settings[setting])}`),
    ...(hasDropout(facts) ? ['--disable_dropout false'] : []),
  ];
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
    ...(isCompared(facts) ? toComparedNotes(facts) : []),
    ...(facts.template === null && !isCompared(facts)
      ? [
          "chat_template_path: not known for this base model; without it the tokenizer's template is taken, and " +
            'training stops where that has none',
        ]
      : []),
    toLossNote(facts),
    facts.recipe.note,
    ...(facts.recipe.schedulerNote === null ? [] : [`lr_scheduler_type: ${facts.recipe.schedulerNote}`]),
    ...(facts.recipe.optimizerNote === null ? [] : [`optim: ${facts.recipe.optimizerNote}`]),
    ...(facts.batch.value === null
      ? []
      : [
          `per_device_train_batch_size, gradient_accumulation_steps: ${toBatchNote(facts.batch.value, facts.objective.limits)}`,
        ]),
    ...of('num_train_epochs', facts.epochs),
    ...of('per_device_train_batch_size', facts.batch),
    ...(facts.rate.note === null ? [] : [`learning_rate: ${facts.rate.note}`]),
    `tools: TRL reads a column "tools" by itself; ${
      facts.rowFiles === null
        ? 'write the arguments of tool calls as objects, not as text'
        : 'the program writes the arguments of tool calls as objects'
    }`,
  ];
}

function toBatchFlags({ batch: { value }, objective }: TrainingFacts): readonly string[] {
  if (value === null) return [];
  const { micro, accumulation } = toBatchParts(value, objective.limits);
  return [`--per_device_train_batch_size ${micro}`, `--gradient_accumulation_steps ${accumulation}`];
}

function toDatasetFlag(facts: TrainingFacts): string {
  const folder = toFolder(facts);
  const value = folder === null ? toNeeded(toDatasetName(facts), toDatasetHint(facts)) : toShellWord(folder);
  return `--dataset_name ${value}`;
}

const COLUMNS = { dpo: ' (prompt, chosen, rejected)', kto: ' (prompt, completion, label)', sft: '', grpo: '' };

function toDatasetHint({ validationCount, objective }: TrainingFacts): string {
  const columns = COLUMNS[objective.name];
  const training = `a dataset on the hub, or a folder with the training rows${columns} as training.jsonl`;
  return validationCount === null ? training : `${training} and the validation rows as validation.jsonl`;
}

/** By default TRL evaluates eight rows at once. */
function toEvalFlags({ validationCount, batch, objective: { limits } }: TrainingFacts): readonly string[] {
  if (validationCount === null) return [];
  const size = batch.value === null ? [] : [`--per_device_eval_batch_size ${toBatchParts(batch.value, limits).micro}`];
  return ['--dataset_test_split validation', '--eval_strategy epoch', ...size];
}

function toMethodFlags({ method, rank, alpha, dropout, chosenModules }: TrainingFacts): readonly string[] {
  if (method !== 'lora' && method !== 'qlora') return [];
  const adapter = [
    '--use_peft',
    `--lora_r ${rank}`,
    `--lora_alpha ${alpha}`,
    `--lora_dropout ${dropout}`,
    `--lora_target_modules ${chosenModules?.map(toShellWord).join(' ') ?? 'all-linear'}`,
  ];
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
    toDatasetFlag(facts),
    ...(isSplit(facts) ? ['--completion_only_loss true'] : []),
    ...toEvalFlags(facts),
    `--max_length ${toLength(facts, 'cut').value}`,
    ...toMethodFlags(facts),
    ...toObjectiveFlags(facts),
    ...toFlag('num_train_epochs', facts.epochs),
    ...toBatchFlags(facts),
    toRateFlag(facts, of),
    `--lr_scheduler_type ${facts.recipe.scheduler}`,
    `--warmup_steps ${facts.recipe.warmupSteps}`,
    `--optim ${facts.recipe.optimizer}`,
    `--weight_decay ${toConfigNumber(facts.recipe.weightDecay)}`,
    ...(isCompared(facts) ? [] : ['--packing false']),
    `--seed ${facts.recipe.seed}`,
    '--report_to tensorboard',
    `--output_dir ${toShellWord(`outputs/${toSlug(facts.place, facts.name)}`)}`,
  ];
  const rows =
    facts.validationCount === null
      ? 'the training rows'
      : `the training rows and the ${facts.validationCount} validation rows`;
  const where = facts.rowFiles === null ? toDatasetName(facts) : toRowFileNames(facts).join(', ');
  const given = facts.rowFiles === null ? '' : ", as the studio's Download menu gives them: put them beside this file";
  const snapshot = facts.snapshot_id === null ? [] : [`${where}: ${rows} of snapshot ${facts.snapshot_id}${given}`];
  const name = of === 1 ? facts.name : `${facts.place} of ${of}: ${facts.name}`;
  const head = [toComment(name), ...facts.about, ...[...snapshot, ...toNotes(facts)].map(toComment)];
  const lines = [...head, ...toFolderCommands(facts)];
  return `${lines.join('\n')}\ntrl ${isCompared(facts) ? facts.objective.name : 'sft'} \\\n  ${flags.join(' \\\n  ')}\n`;
}

function toHead(facts: readonly TrainingFacts[]): string {
  const isQuantized = facts.some(({ method, recipe }) => method === 'qlora' || recipe.optimizer.endsWith('bit'));
  const toNames = (one: TrainingFacts): readonly string[] => [
    ...(one.rowFiles === null ? [toDatasetName(one)] : []),
    ...(one.hub === null ? [toModelName(one)] : []),
    ...(one.rate.value === null ? [toRateName(one, facts.length)] : []),
  ];
  const names = [...new Set(facts.flatMap(toNames))].toSorted(new Intl.Collator('en', { numeric: true }).compare);
  return [
    `# TRL: pip install "trl[peft]>=${facts.some(isCompared) ? '1.16' : '1.1'}" tensorboard${isQuantized ? ' bitsandbytes' : ''}, then ${names.length === 0 ? '' : `set ${names.join(', ')} and `}` +
      'run this file with sh.',
    '# checked against the arguments of TRL 1.16, and run with it on small models; by report_to the studio reads the run back',
    ...[...new Set(facts.flatMap((one) => toLength(one, 'cut').note ?? []))].map((note) =>
      toComment(`max_length: ${note}`),
    ),
    '# To save memory, TRL by itself turns on bf16 and gradient_checkpointing; the service says nothing of them.',
    'set -eu',
    ...(facts.some(isMasked)
      ? [
          '# TRL masks prompts in its own templates, compared letter by letter: they are taken from where it is ' +
            'installed.',
          FIND_TEMPLATES,
        ]
      : []),
    ...toProgramLines(facts),
  ].join('\n');
}

export function toTrlConfig(input: ExportInput): string {
  const facts = toTrainingFacts(input);
  return `${toHead(facts)}\n\n${facts.map((one) => toCommand(one, facts.length)).join('\n')}`;
}
