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

/** As promptfoo reads it: a text of one line is an expression, perhaps after declarations. */
function toBody(code: string): string {
  if (code.trimEnd().includes('\n')) return code;
  const line = code.trim().replace(/[;\s]+$/, '');
  const end = /^(?:const|let|var)\s/.test(line) ? withoutStrings(line).lastIndexOf(';') + 1 : 0;
  return `${line.slice(0, end)} return ${line.slice(end).trim()};`.trim();
}

/** `threshold`: the least number that passes; null: any above 0. A reason says what it needs that is not here. */
export function toFunctionSource(code: string, threshold: number | null): Read<string> {
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
      'const given = judge(answer, { vars: row });',
      'const toShare = (score) => Math.min(1, Math.max(0, score));',
      `if (typeof given === 'number') return { pass: given ${threshold === null ? '> 0' : `>= ${threshold}`}, score: toShare(given) };`,
      "return given && typeof given.score === 'number' ? { ...given, score: toShare(given.score) } : given;",
      '}',
    ].join('\n'),
  };
}
