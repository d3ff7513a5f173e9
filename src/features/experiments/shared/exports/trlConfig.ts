// Candidates as commands of TRL (`trl sft`). Flags: its ScriptArguments, SFTConfig and ModelConfig.
import { toComment, toConfigNumber, toShellWord, toSlug } from '#features/experiments/shared/configText.ts';
import type { ExportInput } from './exportInput.ts';
import {
  toRowFileNames,
  toTrainingFacts,
  type Fact,
  type TrainingFacts,
} from '#features/experiments/shared/trainingFacts.ts';
import { toBatchNote, toBatchParts, toLength } from '#features/experiments/shared/trainingMemory.ts';

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

/**
 * TRL refuses assistant_only_loss for a template without a training version. It then masks prompts where rows have
 * "prompt" and "completion", which this script makes of the studio's rows.
 */
const isSplit = (facts: TrainingFacts): boolean => facts.rowFiles !== null && !isMasked(facts);

function toLossNote(facts: TrainingFacts): string {
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
    facts.recipe.note,
    ...(facts.recipe.schedulerNote === null ? [] : [`lr_scheduler_type: ${facts.recipe.schedulerNote}`]),
    ...(facts.recipe.optimizerNote === null ? [] : [`optim: ${facts.recipe.optimizerNote}`]),
    ...(facts.batch.value === null
      ? []
      : [`per_device_train_batch_size, gradient_accumulation_steps: ${toBatchNote(facts.batch.value)}`]),
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

function toBatchFlags({ value }: Fact): readonly string[] {
  if (value === null) return [];
  const { micro, accumulation } = toBatchParts(value);
  return [`--per_device_train_batch_size ${micro}`, `--gradient_accumulation_steps ${accumulation}`];
}

/**
 * TRL reads a folder and knows a file's split by words in its name. There it has no other words: a dataset may be called
 * "validation tickets", and all its files would be of that split.
 */
function toFolder(facts: TrainingFacts): string | null {
  if (facts.rowFiles === null) return null;
  // Rows in another form must not replace these where two exports of one snapshot are run beside each other.
  const form = isSplit(facts) ? 'prompt-completion' : 'messages';
  return `rows/${facts.rowFiles.training.replace(/\.training\.jsonl$/, '')}.${form}`;
}

/** Variables with the programs that write the rows as TRL needs them. */
const SPLIT_ROWS = 'SPLIT_ROWS';
const LAY_ROWS = 'LAY_ROWS';

/**
 * In single quotes of the shell, so without any. Takes pairs of files to read and to write. It parses arguments of
 * calls: the chat API has them as text, which chat templates would encode a second time.
 */
const toProgram = (before: readonly string[], write: readonly string[]): string =>
  [
    'import json, sys',
    'def learnt(message):',
    '    if message.get("train_detail"):',
    '        sys.exit("TRL learns whole answers, and train_detail forbids parts of one. Set such rows aside.")',
    '    return message["role"] == "assistant" and message.get("weight") != 0',
    'def split(row):',
    '    messages = row.pop("messages")',
    '    for at, message in enumerate(messages):',
    '        if learnt(message) and at > 0:',
    '            yield {**row, "prompt": messages[:at], "completion": [message]}',
    'for source, target in zip(sys.argv[1::2], sys.argv[2::2]):',
    ...before.map((line) => `    ${line}`),
    '    with open(source, encoding="utf-8") as rows, open(target, "w", encoding="utf-8") as out:',
    '        for line in filter(str.strip, rows):',
    '            row = json.loads(line)',
    '            if "chosen" in row or "completion" in row:',
    '                sys.exit("Rows for DPO or KTO are not for trl sft. Download them in the form of TRL, for trl dpo or trl kto.")',
    '            for message in row["messages"]:',
    '                for call in message.get("tool_calls") or []:',
    '                    if isinstance(call["function"]["arguments"], str):',
    '                        call["function"]["arguments"] = json.loads(call["function"]["arguments"])',
    ...write.map((line) => `            ${line}`),
  ].join('\n');

const WRITE_SPLIT = 'for part in split(row): out.write(json.dumps(part) + "\\n")';

/** Makes rows with "prompt" and "completion" of rows with "messages". */
const SPLIT_PROGRAM = toProgram([], [WRITE_SPLIT]);

/** Leaves "messages" as one row, unless marks forbid an answer: assistant_only_loss would learn it. All rows have one form. */
const LAY_PROGRAM = toProgram(
  [
    'marked = False',
    'for path in sys.argv[1::2]:',
    '    with open(path, encoding="utf-8") as rows:',
    '        for row in map(json.loads, filter(str.strip, rows)):',
    '            marked = marked or any(m["role"] == "assistant" and not learnt(m) for m in row["messages"])',
  ],
  ['if marked:', `    ${WRITE_SPLIT}`, 'else: out.write(json.dumps(row) + "\\n")'],
);

const isLaid = (facts: TrainingFacts): boolean => facts.rowFiles !== null && isMasked(facts);

/** Commands that lay the studio's files into a folder of their own. They stop where a file is missing. */
function toFolderCommands(facts: TrainingFacts): readonly string[] {
  const folder = toFolder(facts);
  if (folder === null) return [];
  const [training, validation] = toRowFileNames(facts);
  const pairs = [
    ...(training === undefined ? [] : [training, `${folder}/training.jsonl`]),
    ...(validation === undefined ? [] : [validation, `${folder}/validation.jsonl`]),
  ]
    .map(toShellWord)
    .join(' ');
  const lay = `python -c "$${isSplit(facts) ? SPLIT_ROWS : LAY_ROWS}" ${pairs}`;
  return [`mkdir -p ${toShellWord(folder)}`, lay];
}

function toDatasetFlag(facts: TrainingFacts): string {
  const folder = toFolder(facts);
  const value = folder === null ? toNeeded(toDatasetName(facts), toDatasetHint(facts)) : toShellWord(folder);
  return `--dataset_name ${value}`;
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
    ...toFlag('num_train_epochs', facts.epochs),
    ...toBatchFlags(facts.batch),
    toRateFlag(facts, of),
    `--lr_scheduler_type ${facts.recipe.scheduler}`,
    `--warmup_steps ${facts.recipe.warmupSteps}`,
    `--optim ${facts.recipe.optimizer}`,
    `--weight_decay ${toConfigNumber(facts.recipe.weightDecay)}`,
    '--packing false',
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
  return `${lines.join('\n')}\ntrl sft \\\n  ${flags.join(' \\\n  ')}\n`;
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
    `# TRL: pip install "trl[peft]>=1.1" tensorboard${isQuantized ? ' bitsandbytes' : ''}, then ${names.length === 0 ? '' : `set ${names.join(', ')} and `}` +
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
    ...(facts.some(isSplit) ? [`${SPLIT_ROWS}='${SPLIT_PROGRAM}'`] : []),
    ...(facts.some(isLaid) ? [`${LAY_ROWS}='${LAY_PROGRAM}'`] : []),
  ].join('\n');
}

export function toTrlConfig(input: ExportInput): string {
  const facts = toTrainingFacts(input);
  return `${toHead(facts)}\n\n${facts.map((one) => toCommand(one, facts.length)).join('\n')}`;
}
