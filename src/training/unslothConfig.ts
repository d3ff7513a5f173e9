// Candidates as notebook cells for Unsloth, marked by `# %%`. Names: Unsloth's FastLanguageModel, TRL's SFTConfig and SFTTrainer.
// It must not know other formats.
import { toComment, toConfigNumber, toQuoted, toSlug } from './configText';
import type { ExportInput } from './exportInput';
import { toTrainingFacts, type Fact, type TrainingFacts } from './trainingFacts';
import { MAX_LENGTH, toBatchNote, toBatchParts, toLengthNote } from './trainingMemory';
import { toDataHint, toDataName, toModelHint } from './yamlConfig';

function toArgument(name: string, { value, note }: Fact): string {
  return value === null ? `    ${toComment(`${name}: ${note}`)}` : `    ${name}=${toConfigNumber(value)},`;
}

const LINEAR = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'].map(toQuoted).join(', ');

function toAdapter({ way, rank, alpha, rankNote }: TrainingFacts): readonly string[] {
  if (way !== 'lora' && way !== 'qlora') return [];
  return [
    'model = FastLanguageModel.get_peft_model(',
    '    model,',
    `    r=${rank},${rankNote === null ? '' : `  ${toComment(rankNote)}`}`,
    `    lora_alpha=${alpha},`,
    `    target_modules=[${LINEAR}],`,
    ')',
  ];
}

/** Without a template of its own a tokenizer can't write rows as text. */
function toTemplate({ template }: TrainingFacts): string {
  if (template === null) return 'assert tokenizer.chat_template, "The tokenizer has no chat template: give it one with unsloth.chat_templates.get_chat_template."';
  return `tokenizer = get_chat_template(tokenizer, chat_template=${toQuoted(template.unsloth)})`;
}

function toLoss({ template }: TrainingFacts): readonly string[] {
  if (template === null) {
    return ['# Loss: every token, prompts too. Mask them with train_on_responses_only of unsloth.chat_templates: it needs the marks of your template.'];
  }
  const marks = `instruction_part=${toQuoted(template.userMark)}, response_part=${toQuoted(template.assistantMark)}`;
  return ["# Loss: the assistant's turns alone, prompts are masked.", `trainer = train_on_responses_only(trainer, ${marks})`];
}

function toBatch({ batch }: TrainingFacts): readonly string[] {
  if (batch.value === null) return [toArgument('per_device_train_batch_size', batch)];
  const { micro, accumulation } = toBatchParts(batch.value);
  return [`    per_device_train_batch_size=${micro},  ${toComment(toBatchNote(batch.value))}`, `    gradient_accumulation_steps=${accumulation},`];
}

/** Unsloth patches TRL, so it is imported before that. */
function toImports({ template }: TrainingFacts): readonly string[] {
  return [
    'from unsloth import FastLanguageModel  # before trl, which it patches',
    ...(template === null ? [] : ['from unsloth.chat_templates import get_chat_template, train_on_responses_only']),
    'from datasets import load_dataset',
    'from trl import SFTConfig, SFTTrainer',
  ];
}

/** In its first two lines, Python reads `coding:` in a comment as the encoding of the file. */
const toHeadText = (name: string): string => toComment(name).slice(2).replaceAll(/coding(?=[:=])/g, 'coding ');

function toCell(facts: TrainingFacts): string {
  const { way } = facts;
  return [
    `# %% ${toHeadText(facts.name)}`,
    ...(facts.unsaidNote === null ? [] : [toComment(facts.unsaidNote)]),
    ...toImports(facts),
    '',
    ...facts.about,
    facts.hub === null ? `BASE_MODEL = None  ${toComment(toModelHint(facts))}` : `BASE_MODEL = ${toQuoted(facts.hub)}`,
    `DATA = ${toQuoted(`${toDataName(facts, '-')}.jsonl`)}  ${toComment(toDataHint(facts))}`,
    `MAX_LENGTH = ${MAX_LENGTH}  ${toComment(toLengthNote('cut'))}`,
    'assert BASE_MODEL, "Set BASE_MODEL first."',
    '',
    'model, tokenizer = FastLanguageModel.from_pretrained(',
    '    model_name=BASE_MODEL,',
    '    max_seq_length=MAX_LENGTH,',
    `    load_in_4bit=${way === 'qlora' ? 'True' : 'False'},`,
    way === null ? `    ${toComment(`full_finetuning: training type ${facts.wayNote ?? ''}`)}` : `    full_finetuning=${way === 'full' ? 'True' : 'False'},`,
    ')',
    ...toAdapter(facts),
    toTemplate(facts),
    '',
    'rows = load_dataset("json", data_files=DATA, split="train")',
    'rows = rows.map(lambda row: {"text": tokenizer.apply_chat_template(row["messages"], tokenize=False)})',
    'settings = SFTConfig(',
    '    dataset_text_field="text",',
    toArgument('num_train_epochs', facts.epochs),
    ...toBatch(facts),
    toArgument('learning_rate', facts.rate),
    `    output_dir=${toQuoted(`outputs/${toSlug(facts.place, facts.name)}`)},`,
    ')',
    'trainer = SFTTrainer(model=model, processing_class=tokenizer, train_dataset=rows, args=settings)',
    ...toLoss(facts),
    'trainer.train()',
    '',
  ].join('\n');
}

export const toUnslothConfig = (input: ExportInput): string => toTrainingFacts(input).map(toCell).join('\n');
