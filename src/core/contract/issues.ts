// Turns schema issues into one sentence that a person can act on, and the path of the field at fault.
import type * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;

/** Why a request can't be served. `param` is a path such as `messages[1].role`, null for the body as a whole. */
export interface RequestProblem {
  readonly message: string;
  readonly param: string | null;
}

export type ParsedAs<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: RequestProblem };

/** `['messages', 1, 'role']` -> `messages[1].role`. */
export function toParam(path: readonly PropertyKey[]): string | null {
  if (path.length === 0) return null;
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/**
 * Of a union the issues of the form that was meant: the only one whose kind of value was sent, with the path of the whole. Others
 * stay as they are.
 */
function toMeant(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return [issue];
  const meant = issue.errors.filter(([first]) => first?.code !== 'invalid_type' || first.path.length > 0);
  const [issues = []] = meant;
  if (meant.length !== 1 || issues.length === 0) return [issue];
  return issues.flatMap((inner) => toMeant({ ...inner, path: [...issue.path, ...inner.path] }));
}

function describe(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${NOUNS[issue.expected] ?? issue.expected}${issue.input === null ? ', not null' : ''}`;
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `must be at least ${issue.minimum}`
        : `must have at least ${issue.minimum} ` +
            `${issue.origin === 'string' ? 'character' : 'item'}${issue.minimum === 1 ? '' : 's'}`;
    case 'too_big':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `must be at most ${issue.maximum}`
        : `must have at most ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'items'}`;
    case 'invalid_value':
      return issue.message === 'Invalid input'
        ? `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
        : issue.message;
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`;
    default:
      return issue.message === 'Invalid input' ? 'is not valid' : issue.message;
  }
}

/** Of one number, the tightest bound: a number that JSON can't carry exactly is refused for that first. */
function tightest(issues: readonly Issue[]): Issue | undefined {
  const [first] = issues;
  return issues.reduce((best, next) => {
    if (!best || String(next.path) !== String(best.path)) return best;
    if (best.code === 'too_big' && next.code === 'too_big') return next.maximum < best.maximum ? next : best;
    if (best.code === 'too_small' && next.code === 'too_small') return next.minimum > best.minimum ? next : best;
    return best;
  }, first);
}

/**
 * The first issue as a message that names the field, or `whole` where it is about no field. `issues` must come from a
 * failed parse, so it is not empty.
 */
export function toIssue(
  issues: readonly Issue[],
  whole = 'The request body',
): { message: string; param: string | null } {
  const issue = tightest(issues.flatMap(toMeant));
  if (!issue) return { message: `${whole} is not valid.`, param: null };
  const param = toParam(issue.path);
  return { message: `${param ?? whole} ${describe(issue)}.`, param };
}
