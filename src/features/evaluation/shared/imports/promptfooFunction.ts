// promptfoo's `javascript` asserts as own functions of a check: a function body of `output` and `context`, or one expression.
import { failRead, type Read } from '#core/contract/readJson.ts';

const STRINGS = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
/** As long as `code`, with nothing of its strings. */
const withoutStrings = (code: string): string => code.replaceAll(STRINGS, ({ length }) => '_'.repeat(length));
/** What QuickJS has not, which runs such functions here. */
const OF_NODE = /\b(require|import|process|fetch|await|async|Buffer|console|setTimeout)\b/;
const VARIABLES = /\bcontext\s*(?:\?\.|\.)\s*vars\b/;

/** Whether it reads the variables of the row. */
export const usesVariables = (code: string): boolean => VARIABLES.test(code);

/** Behind the last semicolon that is in no brackets; 0: there is none. */
function findLastStatement(line: string): number {
  let [depth, end] = [0, 0];
  for (const [at, mark] of withoutStrings(line).split('').entries()) {
    if ('([{'.includes(mark)) depth += 1;
    if (')]}'.includes(mark)) depth -= 1;
    if (mark === ';' && depth === 0) end = at + 1;
  }
  return end;
}

/** As promptfoo reads it: a text of one line is an expression, perhaps after declarations. */
function toBody(code: string): string {
  if (code.trimEnd().includes('\n')) return code;
  const line = code.trim().replace(/[;\s]+$/, '');
  const end = /^(?:const|let|var)\s/.test(line) ? findLastStatement(line) : 0;
  const last = line.slice(end).trim();
  return `${line.slice(0, end)} ${/^return\b/.test(last) ? '' : 'return '}${last};`.trim();
}

/** An answer that is JSON, as promptfoo gives it: an object. */
const READ_JSON = 'const toOutput = (text) => { try { return JSON.parse(text); } catch { return text; } };';

/**
 * `threshold`: the least number that passes; null: any above 0. `isOutputJson`: `output` is the value of the JSON. A reason says
 * what it needs that is not here.
 */
export function toFunctionSource(code: string, threshold: number | null, isOutputJson: boolean): Read<string> {
  const bare = withoutStrings(code);
  const [missing] = OF_NODE.exec(bare) ?? [];
  if (missing !== undefined) return failRead(`uses “${missing}”, which functions have not here`);
  if (/\bcontext\b/.test(bare.replaceAll(new RegExp(VARIABLES, 'g'), '')))
    return failRead('uses more of “context” than its “vars”');
  return {
    ok: true,
    value: [
      '(answer, expected, row) => {',
      `const judge = (output, context) => {${toBody(code)}\n};`,
      ...(isOutputJson ? [READ_JSON] : []),
      `const given = judge(${isOutputJson ? 'toOutput(answer)' : 'answer'}, { vars: row });`,
      'const toShare = (score) => Math.min(1, Math.max(0, score));',
      `if (typeof given === 'number') return { pass: given ${threshold === null ? '> 0' : `>= ${threshold}`}, score: toShare(given) };`,
      "return given && typeof given.score === 'number' ? { ...given, score: toShare(given.score) } : given;",
      '}',
    ].join('\n'),
  };
}
