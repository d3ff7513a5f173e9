// promptfoo's configuration (promptfooconfig.yaml), in which OpenAI's Evals are exported, too.
import { parse as parseYaml } from 'yaml';
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import { arrayOr, isObject, ownField, toTextOrNull, type JsonObject } from '#core/contract/readJson.ts';
import { fillTemplate } from '#features/evaluation/shared/template.ts';
import {
  EMPTY_IMPORT,
  ImportRefusal,
  openBudget,
  openProblems,
  type ImportedEvaluation,
  type ImportedRow,
  type Problems,
} from './importedEvaluation.ts';
import { readAsserts, readsVariables } from './promptfooAsserts.ts';
import { readChatMessages } from './chatMessages.ts';

/** Fields without which the evaluation is the same. */
const PASSED_OVER = new Set([
  '$schema',
  'assertionTemplates',
  'commandLineOptions',
  'defaultTest',
  'description',
  'evaluateOptions',
  'extensions',
  'metadata',
  'outputPath',
  'prompts',
  'providers',
  'sharing',
  'tags',
  'targets',
  'tests',
  'writeLatestResults',
]);
const TEST_FIELDS = new Set(['assert', 'description', 'metadata', 'options', 'vars']);
const EXTERNAL =
  /^file:\/\/|^https?:\/\/|^huggingface:|^[^\s{}]+\.(?:txt|md|j2|json|jsonl|ya?ml|csv|xlsx|py|[cm]?[jt]s)$/i;
/** What fillTemplate fills; all other marks are of the template language that promptfoo has. */
const PLAIN = /\{\{\s*[\p{L}_][\p{L}\p{N}_.-]{0,63}\s*\}\}/gu;

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'object' && Object.keys(value).length === 0);

interface Prompt {
  readonly label: string;
  /** Templates. */
  readonly messages: readonly ChatMessage[];
}

function readPrompt(value: unknown, place: string, problems: Problems): Prompt | null {
  const raw = toTextOrNull(isObject(value) ? (value['raw'] ?? value['id']) : value);
  if (raw === null || raw.trim() === '') {
    problems.report('It has no text, and was left out.', place);
    return null;
  }
  const label = (isObject(value) ? toTextOrNull(value['label']) : null) ?? raw;
  if (EXTERNAL.test(raw.trim())) {
    problems.report(`It is in another file (${raw.trim()}). Write its text into the configuration.`, place);
    return null;
  }
  if (/\{\{|\{%|\{#/.test(raw.replaceAll(PLAIN, ''))) {
    problems.report('It has more than {{name}} of the template language. Write it without.', place);
    return null;
  }
  const messages = readChatMessages(/^\s*- role:/.test(raw) ? parseYaml(raw) : raw);
  return {
    label: label.length > 100 ? `${label.slice(0, 99)}…` : label,
    messages: messages ?? [{ role: 'user', content: raw }],
  };
}

/** The prompts of a configuration. A mapping has files or texts as its keys. */
function readPrompts(value: unknown, problems: Problems): readonly Prompt[] {
  const list = isObject(value)
    ? Object.entries(value).map(([raw, label]) => ({ raw, label }))
    : Array.isArray(value)
      ? value
      : [value];
  return list.flatMap((each, at) => readPrompt(each, `Prompt ${at + 1}`, problems) ?? []);
}

const toValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

/** The variables of a test by name; the parts of an object by their path, too. */
function toVariables(vars: JsonObject): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const add = (name: string, value: unknown): void => {
    values.set(name, toValue(value));
    if (isObject(value)) for (const [part, inner] of Object.entries(value)) add(`${name}.${part}`, inner);
  };
  for (const [name, value] of Object.entries(vars)) add(name, value);
  return new Map([...values].map(([name, text]) => [name, fillTemplate(text, values)]));
}

/** A list as the value of a variable stands for one test for each of its entries. */
function expandVars(vars: JsonObject, isExpanded: boolean): readonly JsonObject[] {
  if (!isExpanded) return [vars];
  let all: JsonObject[] = [{}];
  for (const [name, value] of Object.entries(vars)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (all.length * values.length > MAX_TESTS) throw new ImportRefusal(`The lists of “${name}” make too many tests.`);
    all = all.flatMap((one) => values.map((each) => Object.assign({}, one, { [name]: each })));
  }
  return all;
}
const MAX_TESTS = 10_000;

interface ReadTest {
  readonly place: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly asserts: readonly unknown[];
  readonly tags: Readonly<Record<string, string>>;
}

/** Texts of a test's metadata, by which scores can be given. Names that begin with _ are promptfoo's own. */
export const toTags = (metadata: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(metadata) ? metadata : {}).flatMap(([name, value]) =>
      !name.startsWith('_') &&
      ['string', 'number', 'boolean'].includes(typeof value) &&
      String(value).trim() !== '' &&
      String(value).length <= 100 &&
      name.length <= 50
        ? [[name, String(value)]]
        : [],
    ),
  );

function resolve(assert: unknown, templates: unknown): unknown {
  const reference = isObject(assert) ? toTextOrNull(assert['$ref']) : null;
  const name = reference?.replace(/^#\/assertionTemplates\//, '');
  return name !== undefined && isObject(templates) ? (ownField(templates, name) ?? assert) : assert;
}

/** Says what of a test is not read. */
export function reportFields(test: JsonObject, place: string, problems: Problems): void {
  for (const [name, field] of Object.entries(test))
    if (!TEST_FIELDS.has(name) && isPresent(field))
      problems.report(
        name === 'threshold'
          ? '“threshold” is not read: an answer passes when all checks pass.'
          : `“${name}” is not read.`,
        place,
      );
  for (const [name, option] of Object.entries(asObject(test['options'])))
    if (!['disableVarExpansion', 'disableDefaultAsserts'].includes(name) && isPresent(option))
      problems.report(`The option “${name}” is not read.`, place);
}

function readTest(value: unknown, at: number, config: JsonObject, problems: Problems): readonly ReadTest[] {
  const place = `Test ${at + 1}`;
  if (!isObject(value)) {
    problems.report(
      typeof value === 'string'
        ? `It is in another file (${value}). Write it into the configuration.`
        : 'It is no object.',
      place,
    );
    return [];
  }
  const base = isObject(config['defaultTest']) ? config['defaultTest'] : {};
  const options = { ...asObject(base['options']), ...asObject(value['options']) };
  reportFields({ ...base, ...value, options }, place, problems);
  const vars = { ...asObject(base['vars']), ...asObject(value['vars']) };
  const outside = Object.entries(vars).find(([, each]) => typeof each === 'string' && each.startsWith('file://'));
  if (outside) {
    problems.report(`The value of “${outside[0]}” is in another file. The test was left out.`, place);
    return [];
  }
  const asserts = [
    ...(options['disableDefaultAsserts'] === true ? [] : arrayOr(base['assert'])),
    ...arrayOr(value['assert']),
  ].map((assert) => resolve(assert, config['assertionTemplates']));
  const tags = { ...toTags(base['metadata']), ...toTags(value['metadata']) };
  return expandVars(vars, options['disableVarExpansion'] !== true).map((each) => ({
    place,
    variables: toVariables(each),
    asserts,
    tags,
  }));
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

const nameOf = (provider: unknown): readonly string[] => {
  if (typeof provider === 'string') return [provider];
  if (!isObject(provider)) return [];
  const name = toTextOrNull(provider['label']) ?? toTextOrNull(provider['id']) ?? Object.keys(provider)[0];
  return name === undefined ? [] : [name];
};

const fillMessages = (messages: readonly ChatMessage[], values: ReadonlyMap<string, string>): readonly ChatMessage[] =>
  messages.map((message) => ({ ...message, content: fillTemplate(message.content ?? '', values) }));

/** One prompt of a question, and a system message at most, stays a template. */
function toTemplate(prompts: readonly Prompt[]): { readonly prompt: string; readonly system: string | null } | null {
  const [only, ...others] = prompts;
  const [first, second, more] = only?.messages ?? [];
  if (others.length > 0 || first === undefined || more !== undefined) return null;
  if (second === undefined) return first.role === 'user' ? { prompt: first.content ?? '', system: null } : null;
  return first.role === 'system' && second.role === 'user'
    ? { prompt: second.content ?? '', system: first.content ?? '' }
    : null;
}

/** True for what can be a configuration of promptfoo. */
export const isPromptfooConfig = (value: unknown): value is JsonObject =>
  isObject(value) && 'prompts' in value && ('tests' in value || 'providers' in value || 'targets' in value);

/** `value`: the parsed file. Throws ImportRefusal if it has no prompt or no test that can be read. */
export function readPromptfooConfig(value: JsonObject): ImportedEvaluation {
  const problems = openProblems();
  const budget = openBudget(problems);
  for (const [name, field] of Object.entries(value))
    if (!PASSED_OVER.has(name) && isPresent(field)) problems.report(`“${name}” is not read.`);
  const base = value['defaultTest'];
  if (typeof base === 'string') problems.report(`“defaultTest” is in another file (${base}), and was left out.`);
  const prompts = readPrompts(value['prompts'], problems);
  const tests = (
    value['tests'] === undefined ? [{}] : Array.isArray(value['tests']) ? value['tests'] : [value['tests']]
  ).flatMap((test: unknown, at) => readTest(test, at, value, problems));
  const refuse = (what: string): never => {
    throw new ImportRefusal(`The configuration has no ${what} that can be read. ${problems.list().join(' ')}`);
  };
  if (prompts.length === 0) refuse('prompt');
  if (tests.length === 0) refuse('test');
  budget.count(tests.length * prompts.length, 0);
  const providers = [value['providers'] ?? value['targets'] ?? []].flat();
  if (providers.some((each) => isObject(each) && isPresent(each['config'])))
    problems.report('Settings of providers are not read: those of the evaluation hold for all models.');

  const { checks, expected } = readAsserts(tests, problems);
  const template = toTemplate(prompts);
  const hasVariables = template !== null || checks.some(readsVariables);
  const rows = prompts.flatMap(({ label, messages }) =>
    tests.map(({ variables, tags }, at): ImportedRow => {
      for (const text of variables.values()) budget.keep(text);
      const row = { expected: expected[at] ?? null, tags: template ? tags : Object.assign({ prompt: label }, tags) };
      return Object.assign(
        row,
        template === null && { messages: fillMessages(messages, variables) },
        hasVariables && { variables: Object.fromEntries(variables) },
      );
    }),
  );
  const repeat = asObject(value['evaluateOptions'])['repeat'];
  return {
    ...EMPTY_IMPORT,
    tool: 'promptfoo',
    name: toTextOrNull(value['description']) ?? 'promptfoo',
    ...(template ?? { prompt: null, system: null }),
    repeats: typeof repeat === 'number' && Number.isInteger(repeat) && repeat >= 1 ? Math.min(repeat, 10) : 1,
    rows,
    checks,
    models: [...new Set(providers.flatMap(nameOf))],
    problems: problems.list(),
  };
}
