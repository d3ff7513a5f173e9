// Answers that are unlike those of the other rows of their task: in their form, their keys or their language. Pure.
import type { AnswerForm, ReadAnswer } from './answerForm.ts';
import { toLanguageName } from './languages.ts';
import { NumberList } from './numberLists.ts';

/** Rows of one task have one system prompt. So many prompts are told apart; all others are one more task. */
const MAX_TASKS = 50;
/** From so many answers on it can be said what is usual. */
const MIN_ANSWERS = 30;
/** The share of answers that makes a form, a key or a language the usual one. */
const USUAL = 0.8;
const USUAL_LANGUAGE = 0.9;
/** A key that fewer rows have than this share, of so many rows, is a slip. */
const RARE_KEY = 0.005;
const MIN_FOR_RARE = 200;
/** Keys that are told apart, and sets of them. */
const MAX_KEYS = 200;
const MAX_SHAPES = 2000;

const WORDS: Readonly<Record<AnswerForm, string>> = {
  object: 'a bare JSON object',
  list: 'a JSON list',
  fenced: 'JSON in a Markdown fence',
  'broken-json': 'JSON that can not be read',
  'json-in-text': 'JSON with text around it',
  label: 'a label of a few words',
  text: 'free text',
  call: 'a call of a tool',
  none: 'nothing',
};

/** Forms that answers of a task have on purpose; of the others no task is made. */
const TASK_FORMS: ReadonlySet<AnswerForm> = new Set(['object', 'list', 'label']);
/** Answers that say nothing, and calls before the last answer, are other findings. */
const LEFT_OUT: ReadonlySet<AnswerForm> = new Set(['none', 'call']);

class Task {
  answers = 0;
  readonly forms = new Map<AnswerForm, number>();
  readonly keys = new Map<string, number>();
  readonly languages = new Map<string, number>();
  /** Answers whose language is known. */
  spoken = 0;
}

const add = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

const usualOf = <Key>(counts: ReadonlyMap<Key, number>, total: number, share: number): Key | undefined =>
  [...counts].find(([, count]) => count >= total * share)?.[0];

export class UnlikeAnswers {
  private readonly tasks: Task[] = [];
  private readonly taskOf = new Map<string, number>();
  private readonly shapes: { readonly form: AnswerForm; readonly keys: readonly string[] }[] = [];
  private readonly shapeOf = new Map<string, number>();
  private readonly languages: string[] = [];
  /** Of each row: its task, its shape and the language of its answer with 1; 0: none, or that of its question. */
  private readonly rowTasks = new NumberList();
  private readonly rowShapes = new NumberList();
  private readonly rowLanguages = new NumberList();

  /** The number of a task: rows with one system prompt have the same. */
  private toTask(system: string): number {
    const known = this.taskOf.get(system);
    if (known !== undefined) return known;
    const task = Math.min(this.taskOf.size, MAX_TASKS);
    if (task < MAX_TASKS) this.taskOf.set(system, task);
    this.tasks[task] ??= new Task();
    return task;
  }

  private toShape({ form, keys }: ReadAnswer): number {
    const name = `${form} ${keys.join('\n')}`;
    const known = this.shapeOf.get(name);
    if (known !== undefined) return known;
    if (this.shapes.length >= MAX_SHAPES) return this.toShape({ form, key: 0, facts: 0, keys: [] });
    this.shapes.push({ form, keys });
    this.shapeOf.set(name, this.shapes.length - 1);
    return this.shapes.length - 1;
  }

  /** The answer of the next row, its language and that of the question; null: it is not known. */
  add(system: string, answer: ReadAnswer, language: string | null, asked: string | null): void {
    const place = this.toTask(system);
    const task = this.tasks[place] ?? new Task();
    if (!LEFT_OUT.has(answer.form)) {
      task.answers += 1;
      add(task.forms, answer.form);
      if (answer.form === 'object')
        for (const key of answer.keys) if (task.keys.has(key) || task.keys.size < MAX_KEYS) add(task.keys, key);
      if (language !== null) {
        task.spoken += 1;
        add(task.languages, language);
      }
    }
    this.rowTasks.push(place);
    this.rowShapes.push(this.toShape(answer));
    if (language !== null && !this.languages.includes(language)) this.languages.push(language);
    // Who asks in another language is answered in it.
    this.rowLanguages.push(language === null || language === asked ? 0 : this.languages.indexOf(language) + 1);
  }

  /** What is unlike in the answers of a task: for the shape and language of a row, a sentence or null. */
  private toJudge(task: Task): ((shape: number, language: number) => string | null) | null {
    if (task.answers < MIN_ANSWERS) return null;
    const form = usualOf(task.forms, task.answers, USUAL);
    if (form === undefined) return null;
    const language = usualOf(task.languages, task.spoken, USUAL_LANGUAGE);
    const objects = task.forms.get('object') ?? 0;
    const needed = [...task.keys].flatMap(([key, count]) => (count >= objects * USUAL_LANGUAGE ? [key] : []));
    const isSlip = (key: string): boolean =>
      objects >= MIN_FOR_RARE && (task.keys.get(key) ?? 0) < Math.max(2, objects * RARE_KEY);
    const toKeysNote = (keys: readonly string[]): string | null => {
      const missing = needed.find((key) => !keys.includes(key));
      if (missing !== undefined) return `The key "${missing}", which the others have, is missing.`;
      const other = keys.find(isSlip);
      return other === undefined ? null : `The key "${other}" is in hardly any other answer.`;
    };
    return (shape, spoken) => {
      const own = this.shapes[shape];
      if (own === undefined || LEFT_OUT.has(own.form)) return null;
      if (own.form !== form)
        return TASK_FORMS.has(form) ? `The others are ${WORDS[form]}, this one is ${WORDS[own.form]}.` : null;
      if (form === 'object') return toKeysNote(own.keys);
      const said = this.languages[spoken - 1];
      if (form !== 'text' || language === undefined || said === undefined || said === language) return null;
      return `The others are in ${toLanguageName(language)}, this one is in ${toLanguageName(said)}.`;
    };
  }

  /** The places of the rows whose answers are unlike the others, with why. */
  *find(): Generator<{ readonly place: number; readonly note: string }> {
    const judges = this.tasks.map((task) => this.toJudge(task));
    for (let place = 0; place < this.rowTasks.length; place += 1) {
      const note = judges[this.rowTasks.at(place)]?.(this.rowShapes.at(place), this.rowLanguages.at(place)) ?? null;
      if (note !== null) yield { place, note };
    }
  }
}
