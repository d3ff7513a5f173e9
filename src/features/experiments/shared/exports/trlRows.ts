// The rows of the studio as TRL's commands read them: a small program in the script writes them into a folder.
import { toShellWord } from '#features/experiments/shared/configText.ts';
import { toRowFileNames, type TrainingFacts } from '#features/experiments/shared/trainingFacts.ts';

type RowForm = 'messages' | 'prompt-completion' | 'dpo' | 'kto';

export const isCompared = ({ objective: { name } }: TrainingFacts): boolean => name === 'dpo' || name === 'kto';

/** Prompts are masked by TRL's own template. */
export const isMasked = (facts: TrainingFacts): boolean => !isCompared(facts) && facts.template?.trl.from === 'file';

/**
 * TRL refuses assistant_only_loss for a template without a training version. It then masks prompts where rows have
 * "prompt" and "completion", which the script makes of the studio's rows. null: they are not the studio's.
 */
export function toRowForm(facts: TrainingFacts): RowForm | null {
  const { objective, rowFiles } = facts;
  if (rowFiles === null) return null;
  if (objective.name === 'dpo' || objective.name === 'kto') return objective.name;
  return isMasked(facts) ? 'messages' : 'prompt-completion';
}

/**
 * TRL reads a folder and knows a file's split by words in its name. There it has no other words: a dataset may be called
 * "validation tickets", and all its files would be of that split. Rows in another form must not replace these where two
 * exports of one snapshot are run beside each other.
 */
export function toFolder(facts: TrainingFacts): string | null {
  const form = toRowForm(facts);
  if (form === null || facts.rowFiles === null) return null;
  return `rows/${facts.rowFiles.training.replace(/\.training\.jsonl$/, '')}.${form}`;
}

/** In single quotes of the shell, so without any. It parses arguments of calls, which chat templates would encode a second time. */
const HEAD = [
  'import json, random, sys',
  'def learnt(message):',
  '    if message.get("train_detail"):',
  '        sys.exit("TRL learns whole answers, and train_detail forbids parts of one. Set such rows aside.")',
  '    return message["role"] == "assistant" and message.get("weight") != 0',
  'def parsed(messages):',
  '    for message in messages:',
  '        for call in message.get("tool_calls") or []:',
  '            if isinstance(call["function"]["arguments"], str):',
  '                call["function"]["arguments"] = json.loads(call["function"]["arguments"])',
  '    return messages',
];
const SPLIT = [
  'def split(row):',
  '    messages = row.pop("messages")',
  '    for at, message in enumerate(messages):',
  '        if learnt(message) and at > 0:',
  '            yield {**row, "prompt": messages[:at], "completion": [message]}',
];

/** Takes pairs of files to read and to write. */
const toProgram = (before: readonly string[], write: readonly string[]): string =>
  [
    ...HEAD,
    ...SPLIT,
    'for source, target in zip(sys.argv[1::2], sys.argv[2::2]):',
    ...before.map((line) => `    ${line}`),
    '    with open(source, encoding="utf-8") as rows, open(target, "w", encoding="utf-8") as out:',
    '        for line in filter(str.strip, rows):',
    '            row = json.loads(line)',
    '            if "chosen" in row or "completion" in row:',
    '                sys.exit("Rows for DPO or KTO are not for trl sft. Choose that objective in the studio, and copy its config.")',
    '            parsed(row["messages"])',
    ...write.map((line) => `            ${line}`),
  ].join('\n');

const WRITE_SPLIT = 'for part in split(row): out.write(json.dumps(part) + "\\n")';

/** Takes a seed before the files: TRL keeps the order of rows for KTO, and compares neighbours. */
const toComparedProgram = (has: string, need: string, parts: readonly string[], order: readonly string[]): string =>
  [
    ...HEAD,
    'def answer(messages):',
    '    if any(message["role"] == "assistant" and not learnt(message) for message in messages):',
    '        sys.exit("TRL learns whole answers, and weight 0 forbids to learn one. Set such rows aside.")',
    '    return parsed(messages)',
    'def compared(row):',
    '    rest = {"tools": row["tools"]} if row.get("tools") else {}',
    '    prompt = parsed(row["messages"])',
    ...parts.map((line) => `    ${line}`),
    'for source, target in zip(sys.argv[2::2], sys.argv[3::2]):',
    '    with open(source, encoding="utf-8") as lines:',
    '        rows = [json.loads(line) for line in filter(str.strip, lines)]',
    `    fit = [row for row in rows if ${has}]`,
    '    if not fit:',
    `        sys.exit(source + " has no row with ${need}. Take a snapshot that has.")`,
    '    if len(fit) < len(rows):',
    `        print(source + ": rows without ${need} are left out:", len(rows) - len(fit))`,
    '    parts = [part for row in fit for part in compared(row)]',
    ...order.map((line) => `    ${line}`),
    '    with open(target, "w", encoding="utf-8") as out:',
    '        out.writelines(json.dumps(part) + "\\n" for part in parts)',
  ].join('\n');

interface RowProgram {
  /** The shell's variable that holds it. */
  readonly variable: string;
  readonly text: string;
  readonly takesSeed?: true;
}

const PROGRAMS: Readonly<Record<RowForm, RowProgram>> = {
  'prompt-completion': { variable: 'SPLIT_ROWS', text: toProgram([], [WRITE_SPLIT]) },
  /** Leaves "messages" as one row, unless marks forbid an answer: assistant_only_loss would learn it. All rows have one form. */
  messages: {
    variable: 'LAY_ROWS',
    text: toProgram(
      [
        'marked = False',
        'for path in sys.argv[1::2]:',
        '    with open(path, encoding="utf-8") as rows:',
        '        for row in map(json.loads, filter(str.strip, rows)):',
        '            marked = marked or any(m["role"] == "assistant" and not learnt(m) for m in row["messages"])',
      ],
      ['if marked:', `    ${WRITE_SPLIT}`, 'else: out.write(json.dumps(row) + "\\n")'],
    ),
  },
  dpo: {
    variable: 'PAIR_ROWS',
    takesSeed: true,
    text: toComparedProgram(
      '"chosen" in row and "rejected" in row',
      'two answers to compare',
      ['yield {"prompt": prompt, "chosen": answer(row["chosen"]), "rejected": answer(row["rejected"]), **rest}'],
      [],
    ),
  },
  kto: {
    variable: 'LABEL_ROWS',
    takesSeed: true,
    text: toComparedProgram(
      '"chosen" in row and "rejected" in row or "completion" in row',
      'an answer and its label',
      [
        'given = [(row["completion"], row["label"])] if "completion" in row else [(row["chosen"], True), (row["rejected"], False)]',
        'for messages, label in given:',
        '    yield {"prompt": prompt, "completion": answer(messages), "label": label, **rest}',
      ],
      ['random.Random(int(sys.argv[1])).shuffle(parts)'],
    ),
  },
};

/** The programs that some candidates need, each as a variable of the shell. */
export function toProgramLines(all: readonly TrainingFacts[]): readonly string[] {
  const forms = new Set(all.map(toRowForm));
  return (Object.keys(PROGRAMS) as RowForm[]).flatMap((form) => {
    const { variable, text } = PROGRAMS[form];
    return forms.has(form) ? [`${variable}='${text}'`] : [];
  });
}

/** Commands that lay the studio's files into a folder of their own. They stop where a file is missing. */
export function toFolderCommands(facts: TrainingFacts): readonly string[] {
  const form = toRowForm(facts);
  const folder = toFolder(facts);
  if (form === null || folder === null) return [];
  const { variable, takesSeed } = PROGRAMS[form];
  const [training, validation] = toRowFileNames(facts);
  const words = [
    ...(takesSeed ? [String(facts.recipe.seed)] : []),
    ...(training === undefined ? [] : [training, `${folder}/training.jsonl`]),
    ...(validation === undefined ? [] : [validation, `${folder}/validation.jsonl`]),
  ];
  return [`mkdir -p ${toShellWord(folder)}`, `python -c "$${variable}" ${words.map(toShellWord).join(' ')}`];
}
