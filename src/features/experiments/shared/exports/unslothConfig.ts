// Candidates as notebook cells for Unsloth, marked by `# %%`. Names: Unsloth's FastLanguageModel, TRL's SFTConfig and
// SFTTrainer.
import { toComment, toConfigNumber, toHeadComment, toQuoted, toSlug } from '#features/experiments/shared/configText.ts';
import type { ExportInput } from './exportInput.ts';
import { toTrainingFacts, type Fact, type TrainingFacts } from '#features/experiments/shared/trainingFacts.ts';
import { toBatchNote, toBatchParts, toLength } from '#features/experiments/shared/trainingMemory.ts';
import { toDataFile, toDataHint, toEvalFile, toEvalHint, toModelHint } from './yamlConfig.ts';

function toArgument(name: string, { value, note }: Fact): string {
  return value === null ? `    ${toComment(`${name}: ${note}`)}` : `    ${name}=${toConfigNumber(value)},`;
}

const toLayers = (modules: TrainingFacts['targetModules']): string =>
  typeof modules === 'string' ? toQuoted(modules) : `[${modules.map(toQuoted).join(', ')}]`;

function toAdapter({
  method,
  rank,
  alpha,
  rankNote,
  targetModules,
  dropout,
  recipe,
}: TrainingFacts): readonly string[] {
  if (method !== 'lora' && method !== 'qlora') return [];
  return [
    'model = FastLanguageModel.get_peft_model(',
    '    model,',
    `    r=${rank},${rankNote === null ? '' : `  ${toComment(rankNote)}`}`,
    `    lora_alpha=${alpha},`,
    `    lora_dropout=${dropout},`,
    `    target_modules=${toLayers(targetModules)},`,
    `    random_state=${recipe.seed},`,
    ')',
  ];
}

/** A tokenizer without a template can't turn rows into text. */
function toTemplate({ template }: TrainingFacts): string {
  if (template === null)
    return (
      'assert tokenizer.chat_template, "The tokenizer has no chat template: give it one with ' +
      'unsloth.chat_templates.get_chat_template."'
    );
  if (template.unsloth === null) return "# The tokenizer's own chat template is the right one.";
  return `tokenizer = get_chat_template(tokenizer, chat_template=${toQuoted(template.unsloth)})`;
}

/** Other formats can mask prompts without the marks of a template. */
const TRAINS_ALL =
  'trains on every token: no chat template is known for this model; other formats may train on answers alone';

function toLoss({ template }: TrainingFacts): readonly string[] {
  if (template === null) {
    return [
      '# Loss: every token, prompts too: no chat template is known for this model. Mask prompts with ' +
        'train_on_responses_only of unsloth.chat_templates: it needs the marks of your template.',
    ];
  }
  const marks = `instruction_part=${toQuoted(template.userMark)}, response_part=${toQuoted(template.assistantMark)}`;
  return [
    "# Loss: the assistant's turns alone, prompts are masked.",
    `trainer = train_on_responses_only(trainer, ${marks})`,
  ];
}

function toBatch({ batch }: TrainingFacts): readonly string[] {
  if (batch.value === null) return [toArgument('per_device_train_batch_size', batch)];
  const { micro, accumulation } = toBatchParts(batch.value);
  return [
    `    per_device_train_batch_size=${micro},  ${toComment(toBatchNote(batch.value))}`,
    `    gradient_accumulation_steps=${accumulation},`,
  ];
}

function toEval({ validationCount, batch }: TrainingFacts): readonly string[] {
  if (validationCount === null) return [];
  const size = batch.value === null ? [] : [`    per_device_eval_batch_size=${toBatchParts(batch.value).micro},`];
  return ['    eval_strategy="epoch",', ...size];
}

/** Without the rate the trainer would use its own default, so the cell stops instead. */
function toRateGuard({ rate }: TrainingFacts): readonly string[] {
  if (rate.value !== null) return [];
  return [
    `LEARNING_RATE = None  ${toComment(rate.note)}`,
    'if LEARNING_RATE is None:',
    `    raise ValueError(${toQuoted(`Set LEARNING_RATE first: ${rate.reason}.`)})`,
  ];
}

function toRate({ rate }: TrainingFacts): string {
  if (rate.value === null) return '    learning_rate=LEARNING_RATE,';
  return `    learning_rate=${toConfigNumber(rate.value)},${rate.note === null ? '' : `  ${toComment(rate.note)}`}`;
}

const toNoted = (line: string, note: string | null): string => (note === null ? line : `${line}  ${toComment(note)}`);

/** Unsloth changes TRL's defaults (an 8-bit optimizer, weight decay, a batch size that it finds), so all are named. */
function toRecipeLines({ recipe }: TrainingFacts): readonly string[] {
  return [
    toNoted(`    lr_scheduler_type=${toQuoted(recipe.scheduler)},`, recipe.schedulerNote),
    `    warmup_steps=${recipe.warmupSteps},`,
    toNoted(`    optim=${toQuoted(recipe.optimizer)},`, recipe.optimizerNote),
    `    weight_decay=${toConfigNumber(recipe.weightDecay)},`,
    '    auto_find_batch_size=False,',
  ];
}

/**
 * The cell doesn't read rows as an Arrow table: its columns have one type, so the tools of a row would get empty fields
 * of other rows' tools. It parses arguments of calls: the chat API has them as text, chat templates need objects.
 */
const READ_ROWS = [
  'def read_rows(path):',
  '    texts = []',
  '    with open(path, encoding="utf-8") as lines:',
  '        for line in filter(str.strip, lines):',
  '            row = json.loads(line)',
  '            for message in row["messages"]:',
  '                if message.get("weight") == 0 or message.get("train_detail"):',
  '                    raise ValueError("Marks such as weight: 0 forbid to learn answers, and Unsloth would learn them.")',
  '                for call in message.get("tool_calls") or []:',
  '                    if isinstance(call["function"]["arguments"], str):',
  '                        call["function"]["arguments"] = json.loads(call["function"]["arguments"])',
  '            texts.append(tokenizer.apply_chat_template(row["messages"], tools=row.get("tools"), tokenize=False))',
  '    return Dataset.from_dict({"text": texts})',
] as const;

/** Unsloth patches TRL, so it must be imported first. */
function toImports({ template }: TrainingFacts): readonly string[] {
  return [
    'import json',
    'from unsloth import FastLanguageModel  # before trl, which it patches',
    ...(template === null
      ? []
      : [
          'from unsloth.chat_templates import ' +
            `${template.unsloth === null ? '' : 'get_chat_template, '}train_on_responses_only`,
        ]),
    'from datasets import Dataset',
    'from trl import SFTConfig, SFTTrainer',
  ];
}

function toCell(facts: TrainingFacts): string {
  const { method } = facts;
  const evalFile = toEvalFile(facts);
  const length = toLength(facts, 'cut');
  return [
    `# %% ${toHeadComment(facts.name).slice(2)}`,
    '# checked against the signatures of Unsloth and TRL, and run with it on small models',
    toComment(facts.recipe.note),
    ...(facts.template === null ? [`# ${TRAINS_ALL}`] : []),
    ...toImports(facts),
    '',
    ...facts.about,
    facts.hub === null ? `BASE_MODEL = None  ${toComment(toModelHint(facts))}` : `BASE_MODEL = ${toQuoted(facts.hub)}`,
    `DATA = ${toQuoted(toDataFile(facts))}  ${toComment(toDataHint(facts))}`,
    ...(evalFile === null ? [] : [`EVAL_DATA = ${toQuoted(evalFile)}  ${toComment(toEvalHint(facts))}`]),
    `MAX_LENGTH = ${length.value}${length.note === null ? '' : `  ${toComment(length.note)}`}`,
    'assert BASE_MODEL, "Set BASE_MODEL first."',
    ...toRateGuard(facts),
    '',
    'model, tokenizer = FastLanguageModel.from_pretrained(',
    '    model_name=BASE_MODEL,',
    '    max_seq_length=MAX_LENGTH,',
    `    load_in_4bit=${method === 'qlora' ? 'True' : 'False'},`,
    method === null
      ? `    ${toComment(`full_finetuning: training type ${facts.methodNote ?? ''}`)}`
      : `    full_finetuning=${method === 'full' ? 'True' : 'False'},`,
    ')',
    ...toAdapter(facts),
    toTemplate(facts),
    '',
    ...READ_ROWS,
    '',
    'settings = SFTConfig(',
    '    dataset_text_field="text",',
    toArgument('num_train_epochs', facts.epochs),
    ...toBatch(facts),
    ...toEval(facts),
    toRate(facts),
    ...toRecipeLines(facts),
    '    packing=False,',
    `    seed=${facts.recipe.seed},`,
    `    output_dir=${toQuoted(`outputs/${toSlug(facts.place, facts.name)}`)},`,
    ')',
    'trainer = SFTTrainer(',
    '    model=model,',
    '    processing_class=tokenizer,',
    '    train_dataset=read_rows(DATA),',
    ...(evalFile === null ? [] : ['    eval_dataset=read_rows(EVAL_DATA),']),
    '    args=settings,',
    ')',
    ...toLoss(facts),
    'trainer.train()',
    '',
  ].join('\n');
}

export const toUnslothConfig = (input: ExportInput): string => toTrainingFacts(input).map(toCell).join('\n');
