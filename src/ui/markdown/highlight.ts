// Which parts of a piece of code are keywords, strings, comments and so on. Loaded only when a page shows code. Pure.
import { common, createLowlight } from 'lowlight';

export type TokenKind =
  | 'plain'
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'title'
  | 'type'
  | 'name'
  | 'added'
  | 'removed';

export interface CodeToken {
  readonly kind: TokenKind;
  /** Where it starts in the code. */
  readonly at: number;
  readonly text: string;
}

/**
 * Beyond these a piece of code stays without colours: grammars take longer than in proportion, above all for long
 * lines.
 */
const MAX_CHARACTERS = 50_000;
const MAX_LINES = 2000;
const LONG_LINE = /[^\n]{401}/;
/** Their grammars take 9 s for 48,000 characters of plain words. */
const COSTLY: ReadonlySet<string> = new Set([
  'c',
  'h',
  'cpp',
  'cc',
  'c++',
  'h++',
  'hpp',
  'hh',
  'hxx',
  'cxx',
  'arduino',
  'ino',
  'ini',
  'toml',
]);
const MAX_COSTLY = 6000;

/**
 * Grammars that are made alone, each with those that it holds pieces of. All others are made together, when the first
 * of them is asked for: making them takes 20 ms, and most answers hold Python, JSON or a shell.
 */
const ALONE: Readonly<Record<string, readonly string[]>> = {
  bash: [],
  diff: [],
  json: [],
  python: [],
  rust: [],
  shell: ['bash'],
  sql: [],
  yaml: ['ruby'],
};

const lowlight = createLowlight();
type Part = ReturnType<typeof lowlight.highlight>['children'][number];

/** The grammars' scopes. A scope that is missing here looks like the one around it. */
const KINDS: Readonly<Record<string, TokenKind>> = {
  'hljs-keyword': 'keyword',
  'hljs-selector-tag': 'keyword',
  'hljs-name': 'keyword',
  'hljs-bullet': 'keyword',
  'hljs-meta': 'keyword',
  'hljs-string': 'string',
  'hljs-regexp': 'string',
  'hljs-char': 'string',
  'hljs-link': 'string',
  'hljs-code': 'string',
  'hljs-number': 'number',
  'hljs-literal': 'number',
  'hljs-symbol': 'number',
  'hljs-comment': 'comment',
  'hljs-quote': 'comment',
  'hljs-doctag': 'comment',
  'hljs-title': 'title',
  'hljs-section': 'title',
  'hljs-selector-class': 'title',
  'hljs-selector-id': 'title',
  'hljs-type': 'type',
  'hljs-built_in': 'type',
  'hljs-class': 'type',
  'hljs-attr': 'name',
  'hljs-attribute': 'name',
  'hljs-property': 'name',
  'hljs-variable': 'name',
  'hljs-template-variable': 'name',
  'hljs-addition': 'added',
  'hljs-deletion': 'removed',
  'hljs-subst': 'plain',
};

function toKind(part: Part, outer: TokenKind): TokenKind {
  const classes =
    part.type === 'element' && Array.isArray(part.properties['className']) ? part.properties['className'] : [];
  for (const name of classes) {
    const kind = KINDS[String(name)];
    if (kind) return kind;
  }
  return outer;
}

function append(tokens: CodeToken[], parts: readonly Part[], kind: TokenKind): void {
  for (const part of parts) {
    if (part.type === 'element') append(tokens, part.children, toKind(part, kind));
    if (part.type !== 'text') continue;
    const last = tokens.at(-1);
    if (last?.kind === kind) tokens[tokens.length - 1] = { ...last, text: last.text + part.value };
    else tokens.push({ kind, at: last ? last.at + last.text.length : 0, text: part.value });
  }
}

/** Creates the grammars that `name` needs; false for an unknown language. */
function isKnown(name: string): boolean {
  if (lowlight.registered(name)) return true;
  const wanted = Object.hasOwn(ALONE, name) ? [name, ...(ALONE[name] ?? [])] : Object.keys(common);
  for (const each of wanted) {
    const grammar = common[each];
    if (grammar && !lowlight.listLanguages().includes(each)) lowlight.register(each, grammar);
  }
  return lowlight.registered(name);
}

/**
 * The code in parts that joined are the code again; null for a language that is not known, and for code that is beyond
 * it.
 */
export function toTokens(code: string, language: string): readonly CodeToken[] | null {
  const name = language.toLowerCase();
  const most = COSTLY.has(name) ? MAX_COSTLY : MAX_CHARACTERS;
  if (code.length > most || LONG_LINE.test(code) || code.split('\n').length > MAX_LINES || !isKnown(name)) return null;
  const tokens: CodeToken[] = [];
  try {
    append(tokens, lowlight.highlight(name, code).children, 'plain');
  } catch {
    // Nesting so deep that the recursion over it overflows.
    return null;
  }
  return tokens;
}
