// The asserts of promptfoo's tests as checks. Here a check judges all rows, there each test has asserts of its own: one
// that all tests have becomes a check, and one whose text alone differs a check against the expected answer of the row.
import {
  failRead,
  isObject,
  ownField,
  toNumberOrNull,
  toTextOrNull,
  type JsonObject,
  type Read,
} from '#core/contract/readJson.ts';
import { findCheckProblem } from '#features/evaluation/shared/checkSet.ts';
import { DEFAULT_CHECK, type CheckKind, type CheckSpec } from '#features/evaluation/shared/checks.ts';
import { fillTemplate } from '#features/evaluation/shared/template.ts';
import type { EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { toRuleCheck } from '#features/evaluation/shared/wireChecks.ts';
import type { Problems } from './importedEvaluation.ts';
import { toFunctionSource, usesVariables } from './promptfooFunction.ts';

export interface AssertedTest {
  /** Such as `Test 3`. */
  readonly place: string;
  readonly asserts: readonly unknown[];
  readonly variables: ReadonlyMap<string, string>;
  /** Its functions read an output that is no text, and is kept as JSON. */
  readonly isOutputJson?: boolean;
}

interface Draft {
  readonly type: string;
  readonly metric: string | null;
  readonly counts: boolean;
  readonly spec: CheckSpec;
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Kinds that can judge by the expected answer of the row. */
const OF_ROW: ReadonlySet<CheckKind> = new Set(['exact', 'contains', 'json-equal']);

const toText = (value: unknown): string | null =>
  typeof value === 'string' ? value : value === undefined || value === null ? null : JSON.stringify(value);

const toTexts = (value: unknown): readonly string[] | null => {
  const list = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;
  return Array.isArray(list) && list.every((part) => typeof part === 'string') ? list : null;
};

type Specs = readonly Partial<CheckSpec>[] | null;
type Convert = (value: unknown, fill: (text: string) => string) => Specs;
/** By more than its value. A reason says why it is left out. */
type ConvertWhole = (
  assert: JsonObject,
  fill: (text: string) => string,
  isOutputJson: boolean,
) => Read<Partial<CheckSpec>>;

const ofText =
  (toSpec: (text: string) => Partial<CheckSpec>): Convert =>
  (value, fill) => {
    const text = toText(value);
    return text === null ? null : [toSpec(fill(text))];
  };

const ofTexts =
  (toSpecs: (texts: readonly string[]) => Specs): Convert =>
  (value, fill) => {
    const texts = toTexts(value);
    return texts === null || texts.length === 0 ? null : toSpecs(texts.map(fill));
  };

const anyOf =
  (isCaseSensitive: boolean): Convert =>
  (value, fill) =>
    ofTexts((texts) => [{ kind: 'regex', expected: `(?:${texts.map(escape).join('|')})`, isCaseSensitive }])(
      value,
      fill,
    );
const allOf =
  (isCaseSensitive: boolean): Convert =>
  (value, fill) =>
    ofTexts((texts) => texts.map((expected) => ({ kind: 'contains', expected, isCaseSensitive })))(value, fill);
const regex = (pattern: string, isCaseSensitive = true): Partial<CheckSpec> => ({
  kind: 'regex',
  expected: pattern,
  isCaseSensitive,
});

/** promptfoo parses the text of the answer as JSON: a code fence fails. */
const toSchema = (value: unknown): Specs => {
  const text = value === undefined || value === null ? '{}' : toText(value);
  return text === null || /^file:|\.(json|ya?ml)$/.test(text)
    ? null
    : [{ kind: 'json-schema', expected: text, isStrict: true }];
};

const CONVERT: Readonly<Record<string, Convert>> = {
  equals: (value, fill) =>
    isObject(value) || Array.isArray(value)
      ? [{ kind: 'json-equal', expected: fill(JSON.stringify(value)), isStrict: true }]
      : ofText((expected) => ({ kind: 'exact', expected }))(value, fill),
  contains: ofText((expected) => ({ kind: 'contains', expected })),
  icontains: ofText((expected) => ({ kind: 'contains', expected, isCaseSensitive: false })),
  'starts-with': ofText((text) => regex(`^${escape(text)}`)),
  'not-starts-with': ofText((text) => regex(`^(?!${escape(text)})`)),
  regex: ofText((pattern) => regex(pattern)),
  'not-regex': ofText((pattern) => regex(`^(?![\\s\\S]*(?:${pattern}))`)),
  'not-equals': ofText((text) => regex(`^(?!${escape(text)}$)`)),
  'not-contains': ofText((text) => regex(`^(?![\\s\\S]*${escape(text)})`)),
  'not-icontains': ofText((text) => regex(`^(?![\\s\\S]*${escape(text)})`, false)),
  'contains-any': anyOf(true),
  'icontains-any': anyOf(false),
  'contains-all': allOf(true),
  'icontains-all': allOf(false),
  'is-json': toSchema,
};

const CONVERT_WHOLE: Readonly<Record<string, ConvertWhole>> = {
  javascript(assert, fill, isOutputJson) {
    const code = toTextOrNull(assert['value']);
    if (code === null || code.trim() === '') return failRead('has no code');
    const source = toFunctionSource(fill(code), toNumberOrNull(assert['threshold']), isOutputJson);
    return source.ok ? { ok: true, value: { kind: 'function', expected: source.value } } : source;
  },
  latency(assert) {
    const max = toNumberOrNull(assert['threshold']);
    return max === null ? failRead('has no threshold') : { ok: true, value: { kind: 'latency', max } };
  },
};
/** Fields of an assert that are read, or say nothing of it. */
const READ_FIELDS = new Set(['$ref', 'type', 'value', 'metric', 'weight', 'transform']);

/** Says what of an assert is not read. */
function reportFields(assert: JsonObject, type: string, place: string, problems: Problems): void {
  const hasThreshold = Object.hasOwn(CONVERT_WHOLE, type);
  for (const [name, field] of Object.entries(assert))
    if (!READ_FIELDS.has(name) && !(hasThreshold && name === 'threshold') && field !== undefined && field !== null)
      problems.report(`“${name}” of “${type}” is not read.`, place);
  const { weight = 1 } = assert;
  if (weight !== 0 && weight !== 1)
    problems.report(`The weight of “${type}” is not read: all checks that count must pass.`, place);
}

/** What an assert checks; empty and reported: there is nothing like it here. */
function toSpecs(
  assert: JsonObject,
  type: string,
  { place, variables, isOutputJson = false }: AssertedTest,
  problems: Problems,
): NonNullable<Specs> {
  const fill = (text: string): string => fillTemplate(text, variables);
  const [whole, convert] = [CONVERT_WHOLE, CONVERT].map((known) =>
    Object.hasOwn(known, type) ? known[type] : undefined,
  ) as [ConvertWhole | undefined, Convert | undefined];
  if (whole === undefined && convert === undefined) {
    problems.report(`“${type}” has no check here, and was left out.`, place);
    return [];
  }
  const value = ownField(assert, 'value');
  const isElsewhere = toTextOrNull(assert['transform']) !== null || (toText(value) ?? '').startsWith('file:');
  const read = isElsewhere ? null : whole?.(assert, fill, isOutputJson);
  if (read && !read.ok) problems.report(`“${type}” ${read.reason}. It was left out.`, place);
  if (read) return read.ok ? [read.value] : [];
  const specs = isElsewhere ? null : (convert?.(value, fill) ?? null);
  if (specs === null)
    problems.report(`The value of “${type}” is in another file, or is none that can be read. It was left out.`, place);
  return specs ?? [];
}

/** The checks of one assert. What is not read of it is reported. */
function toDrafts(assert: JsonObject, test: AssertedTest, problems: Problems): readonly Draft[] {
  const { place } = test;
  const type = toTextOrNull(assert['type']) ?? '(without a type)';
  const specs = toSpecs(assert, type, test, problems);
  if (specs.length > 0) reportFields(assert, type, place, problems);
  if (specs.some(({ kind, expected }) => kind === 'function' && usesVariables(expected ?? '')))
    problems.report('In own functions the values of “context.vars” are texts.');
  const drafts = specs.map((spec): Draft => ({
    type,
    metric: toTextOrNull(assert['metric']),
    counts: assert['weight'] !== 0,
    spec: { ...DEFAULT_CHECK, ...spec },
  }));
  return drafts.filter(({ spec }) => {
    const problem = findCheckProblem(spec);
    if (problem !== null) problems.report(`“${type}” was left out. ${problem}`, place);
    return problem === null;
  });
}

/** Asserts of a set as asserts of the test, where all of them must pass. */
const flatten = (asserts: readonly unknown[]): readonly unknown[] =>
  asserts.flatMap((assert) =>
    isObject(assert) &&
    assert['type'] === 'assert-set' &&
    assert['threshold'] === undefined &&
    Array.isArray(assert['assert'])
      ? flatten(assert['assert'])
      : [assert],
  );

const withoutText = ({ type, metric, counts, spec }: Draft): string =>
  JSON.stringify([type, metric, counts, { ...spec, expected: null }]);

export interface AssertedRows {
  readonly checks: readonly EvaluationCheck[];
  /** The expected answer of each test. */
  readonly expected: readonly (string | null)[];
}

/** Whether its function reads the variables of the row. */
export const readsVariables = (check: EvaluationCheck): boolean =>
  check.kind === 'function' && usesVariables(check.expected ?? '');

/** Names each check, so that ids differ. */
function toChecks(drafts: readonly Draft[]): readonly EvaluationCheck[] {
  const used = new Map<string, number>();
  return drafts.map(({ type, metric, counts, spec }) => {
    const plain =
      (metric ?? type)
        .toLowerCase()
        .replaceAll(/[^0-9a-z]+/g, '-')
        .replaceAll(/^-|-$/g, '')
        .slice(0, 30) || 'check';
    const count = (used.get(plain) ?? 0) + 1;
    used.set(plain, count);
    return { ...toRuleCheck(count === 1 ? plain : `${plain}-${count}`, spec), name: metric ?? type, counts };
  });
}

/** Checks and expected answers of tests. What can't be said by them is reported. */
export function readAsserts(tests: readonly AssertedTest[], problems: Problems): AssertedRows {
  const drafts = tests.map((test) =>
    flatten(test.asserts).flatMap((assert) => {
      if (isObject(assert)) return toDrafts(assert, test, problems);
      problems.report('An assert is no object, and was left out.', test.place);
      return [];
    }),
  );
  const keyed = drafts.map((list) => new Map(list.map((draft) => [JSON.stringify(draft), draft])));
  const common = [...(keyed[0] ?? [])].filter(([key]) => keyed.every((keys) => keys.has(key)));
  const isCommon = new Set(common.map(([key]) => key));
  const own = keyed.map((keys) => [...keys].flatMap(([key, draft]) => (isCommon.has(key) ? [] : [draft])));

  const places = new Map<string, Map<number, string>>();
  for (const [row, list] of own.entries())
    for (const draft of list) {
      const text = OF_ROW.has(draft.spec.kind) ? draft.spec.expected : null;
      const rows = places.get(withoutText(draft)) ?? new Map<number, string>();
      places.set(withoutText(draft), rows);
      if (text !== null && !rows.has(row)) rows.set(row, text);
    }
  const [[, main] = []] = [...places].toSorted(([, a], [, b]) => b.size - a.size);
  const expected = tests.map((_, row) => main?.get(row) ?? null);
  /** It judges the rows that have an expected answer, by that answer. */
  const isOfRows = (key: string): boolean => {
    const rows = places.get(key);
    return rows !== undefined && rows.size > 0 && expected.every((text, row) => (rows.get(row) ?? null) === text);
  };
  const ofRows = new Map<string, Draft>();
  for (const [row, list] of own.entries())
    for (const draft of list) {
      const key = withoutText(draft);
      if (isOfRows(key) && draft.spec.expected === expected[row])
        ofRows.set(key, { ...draft, spec: { ...draft.spec, expected: null } });
      else
        problems.report(
          `“${draft.type}” differs between tests, and was left out: a check judges all rows, by one text or by the one expected ` +
            'answer of each row.',
          tests[row]?.place,
        );
    }
  return { checks: toChecks([...common.map(([, draft]) => draft), ...ofRows.values()]), expected };
}
