// What people need to serve a finished model elsewhere: an Ollama Modelfile with the model's own turns, and commands. Pure.
import { toFlagValue, toShellWord } from '#features/experiments/shared/configText.ts';

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The texts around messages. */
interface TurnTexts {
  readonly begin: string;
  readonly systemOpen: string;
  readonly systemClose: string;
  readonly userOpen: string;
  /** From the end of a user's message to the start of the answer. */
  readonly answerOpen: string;
  readonly answerClose: string;
}

// Plain words: a template may change or trim anything else.
const [SYSTEM, USER, ANSWER, NEXT] = ['Vsystemv', 'Vuserv', 'Vanswerv', 'Vnextv'] as const;

const system: Turn = { role: 'system', content: SYSTEM };
const user: Turn = { role: 'user', content: USER };
const answer: Turn = { role: 'assistant', content: ANSWER };
const next: Turn = { role: 'user', content: NEXT };

/** The conversations that show which turns a chat template makes; each is opened for an answer. */
export const TURN_CHATS: readonly (readonly Turn[])[] = [
  [user],
  [system, user, answer, next],
  [system, user],
  [user, answer, next],
  [system, user, answer, next, { role: 'assistant', content: 'Vmorev' }, { role: 'user', content: 'Vlastv' }],
];

/** The text between the words, in order; null: a word is missing or there twice. */
function cutAt(text: string, words: readonly string[]): readonly string[] | null {
  const parts: string[] = [];
  let rest = text;
  for (const word of words) {
    const [before, after, more] = rest.split(word);
    if (before === undefined || after === undefined || more !== undefined) return null;
    parts.push(before);
    rest = after;
  }
  return [...parts, rest];
}

function commonEnd(texts: readonly string[]): string {
  const [first = ''] = texts;
  let length = first.length;
  while (length > 0 && !texts.every((text) => text.endsWith(first.slice(first.length - length)))) length -= 1;
  return first.slice(first.length - length);
}

const join = (texts: TurnTexts, messages: readonly Turn[]): string =>
  texts.begin +
  messages
    .map(({ role, content }) =>
      role === 'system'
        ? texts.systemOpen + content + texts.systemClose
        : role === 'user'
          ? texts.userOpen + content + texts.answerOpen
          : content + texts.answerClose,
    )
    .join('');

/**
 * `texts`: those of TURN_CHATS. null: the turns of the template are not the same everywhere, so that no plain list of turns
 * gives its text.
 */
function findTurnTexts(texts: readonly string[]): TurnTexts | null {
  const [ofUser = '', ofAll = ''] = texts;
  const alone = cutAt(ofUser, [USER]);
  const whole = cutAt(ofAll, [SYSTEM, USER, ANSWER, NEXT]);
  if (alone === null || whole === null) return null;
  const [start = '', answerOpen = ''] = alone;
  const [beforeSystem = '', afterSystem = '', , afterAnswer = ''] = whole;
  const userOpen = commonEnd([start, afterSystem, afterAnswer]);
  const begin = start.slice(0, start.length - userOpen.length);
  if (!beforeSystem.startsWith(begin)) return null;
  const turns: TurnTexts = {
    begin,
    systemOpen: beforeSystem.slice(begin.length),
    systemClose: afterSystem.slice(0, afterSystem.length - userOpen.length),
    userOpen,
    answerOpen,
    answerClose: afterAnswer.slice(0, afterAnswer.length - userOpen.length),
  };
  return TURN_CHATS.every((chat, at) => texts[at] === join(turns, chat)) ? turns : null;
}

export interface TakenModel {
  /** A short name. */
  readonly name: string;
  /** Of the GGUF file and of an adapter on it, as the person has them; null: no adapter. */
  readonly file: string;
  readonly adapter: string | null;
  /** Tokens. */
  readonly context: number;
  /** Ends an answer. */
  readonly endText: string;
  /** Put before each text by the server itself; empty: none. */
  readonly beginText: string;
  /** The files of the model: the one that is served, and its other forms. */
  readonly files: readonly TakenFile[];
}

export interface TakenFile {
  /** Such as `adapter`, `F16`, `merged F16`, `merged Q8_0`. */
  readonly format: string;
  readonly path: string;
  readonly bytes: number;
  /** When it is downloaded: `ft-base-1a2b3c4d.merged-F16.gguf`. */
  readonly name: string;
}

/** The model as somebody has it who downloaded its files into one folder. The file of an adapter's base is not among them. */
export function toDownloaded(model: TakenModel): TakenModel {
  const merged = model.files.find(({ format }) => format.startsWith('merged'));
  const [own] = model.files;
  if (merged) return { ...model, file: `./${merged.name}`, adapter: null };
  if (!own) return model;
  return model.adapter === null ? { ...model, file: `./${own.name}` } : { ...model, adapter: `./${own.name}` };
}

export interface TakeAway {
  /** null: `problem` says why there is none. */
  readonly modelfile: string | null;
  readonly problem: string | null;
  readonly files: readonly TakenFile[];
  readonly commands: readonly { readonly title: string; readonly command: string }[];
}

/** Ollama's templates are Go's: these texts would end one, or be read as its language. */
const UNSAFE = /\{\{|\}\}|"""|\0/;

/** The texts of TURN_CHATS, or why the template gives none. */
export type RenderedTurns = { readonly texts: readonly string[] } | { readonly problem: string };

/** The Modelfile; null: Ollama's template language can't say what this chat template does, or nobody knows what it does. */
export function toModelfile(model: TakenModel, rendered: RenderedTurns): string | null {
  const { beginText } = model;
  if ('problem' in rendered) return null;
  const texts = findTurnTexts(
    rendered.texts.map((text) => (text.startsWith(beginText) ? text.slice(beginText.length) : text)),
  );
  const paths = [model.file, model.adapter ?? '', model.endText];
  if (texts === null || UNSAFE.test(Object.values(texts).join(' ')) || paths.some((text) => /["\n\r\0]/.test(text)))
    return null;
  const turns =
    `{{ range .Messages }}{{ if eq .Role "system" }}${texts.systemOpen}{{ .Content }}${texts.systemClose}` +
    `{{ else if eq .Role "user" }}${texts.userOpen}{{ .Content }}${texts.answerOpen}` +
    `{{ else if eq .Role "assistant" }}{{ .Content }}${texts.answerClose}{{ end }}{{ end }}`;
  return [
    `FROM ${model.file}`,
    ...(model.adapter === null ? [] : [`ADAPTER ${model.adapter}`]),
    `TEMPLATE """${texts.begin}${turns}"""`,
    ...(model.endText === '' ? [] : [`PARAMETER stop "${model.endText}"`]),
    `PARAMETER num_ctx ${model.context}`,
    '',
  ].join('\n');
}

/** The usual server for such files first. vLLM reads whole GGUF files alone, as an experiment of its own: an adapter has to be merged. */
export function toTakeAway(model: TakenModel, rendered: RenderedTurns): TakeAway {
  const [file, name] = [model.file, model.name].map(toShellWord) as [string, string];
  // Ollama takes what stands after the two dashes for names.
  const create = model.name.startsWith('-')
    ? `ollama create -f Modelfile -- ${name}`
    : `ollama create ${name} -f Modelfile`;
  const merged = model.files.find(({ format }) => format.startsWith('merged'))?.path ?? null;
  const whole = model.adapter === null ? model.file : merged;
  const adapter = model.adapter === null ? '' : ` --lora ${toShellWord(model.adapter)}`;
  const modelfile = toModelfile(model, rendered);
  const reason =
    'problem' in rendered
      ? `There is no Modelfile for Ollama: ${rendered.problem}`
      : "Ollama's templates can't say what this model's chat template does.";
  return {
    modelfile,
    problem: modelfile === null ? `${reason} Serve it with llama.cpp, which reads the template in the file.` : null,
    files: model.files,
    commands: [
      {
        title: 'llama.cpp',
        command: `llama-server -m ${file}${adapter} --alias ${name} --ctx-size ${model.context} --jinja`,
      },
      ...(modelfile === null ? [] : [{ title: 'Ollama', command: create }]),
      ...(whole === null
        ? []
        : [
            {
              title: 'vLLM',
              command: `vllm serve ${toShellWord(whole)} --served-model-name${toFlagValue(model.name)}`,
            },
          ]),
    ],
  };
}
