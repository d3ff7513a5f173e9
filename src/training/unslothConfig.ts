// Candidates as notebook cells for Unsloth, marked by `# %%`. Names: Unsloth's FastLanguageModel, TRL's SFTConfig and SFTTrainer.
// It must not know other formats.
import { toComment, toConfigNumber, toQuoted, toSlug } from './configText';
import type { ExportInput } from './exportInput';
import { toTrainingFacts, type Fact, type TrainingFacts } from './trainingFacts';
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

/** In its first two lines, Python reads `coding:` in a comment as the encoding of the file. */
const toHeadText = (name: string): string => toComment(name).slice(2).replaceAll(/coding(?=[:=])/g, 'coding ');

function toCell(facts: TrainingFacts): string {
  const { way, batch } = facts;
  const batchNote = batch.value === null ? '' : `  # times gradient_accumulation_steps = the batch size of ${batch.value}`;
  return [
    `# %% ${toHeadText(facts.name)}`,
    ...(facts.unsaidNote === null ? [] : [toComment(facts.unsaidNote)]),
    'from datasets import load_dataset',
    'from trl import SFTConfig, SFTTrainer',
    'from unsloth import FastLanguageModel',
    '',
    ...facts.about,
    facts.hub === null ? `BASE_MODEL = None  ${toComment(toModelHint(facts))}` : `BASE_MODEL = ${toQuoted(facts.hub)}`,
    `DATA = ${toQuoted(`${toDataName(facts, '-')}.jsonl`)}  ${toComment(toDataHint(facts))}`,
    'MAX_LENGTH = 2048  # not given; set it to the length of your longest row',
    'assert BASE_MODEL, "Set BASE_MODEL first."',
    '',
    'model, tokenizer = FastLanguageModel.from_pretrained(',
    '    model_name=BASE_MODEL,',
    '    max_seq_length=MAX_LENGTH,',
    `    load_in_4bit=${way === 'qlora' ? 'True' : 'False'},`,
    way === null ? `    ${toComment(`full_finetuning: training type ${facts.wayNote ?? ''}`)}` : `    full_finetuning=${way === 'full' ? 'True' : 'False'},`,
    ')',
    ...toAdapter(facts),
    '',
    'rows = load_dataset("json", data_files=DATA, split="train")',
    'rows = rows.map(lambda row: {"text": tokenizer.apply_chat_template(row["messages"], tokenize=False)})',
    'settings = SFTConfig(',
    '    dataset_text_field="text",',
    toArgument('num_train_epochs', facts.epochs),
    `${toArgument('per_device_train_batch_size', batch)}${batchNote}`,
    ...(batch.value === null ? [] : ['    gradient_accumulation_steps=1,']),
    toArgument('learning_rate', facts.rate),
    `    output_dir=${toQuoted(`outputs/${toSlug(facts.place, facts.name)}`)},`,
    ')',
    'SFTTrainer(model=model, tokenizer=tokenizer, train_dataset=rows, args=settings).train()',
    '',
  ].join('\n');
}

export const toUnslothConfig = (input: ExportInput): string => toTrainingFacts(input).map(toCell).join('\n');
