// What of a formula may be shown: elements of MathML, some of their attributes with bounded values, and looks that are
// ours, by name. Pure.

export interface MathElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Classes of math.css. */
  readonly looks: readonly string[];
  readonly children: readonly (MathElement | string)[];
}

type Part = MathElement | string;

/** Beyond these a formula is not shown as one. */
const MAX_DEPTH = 48;
const MAX_NODES = 4000;

const ELEMENTS: ReadonlySet<string> = new Set([
  'math',
  'menclose',
  'mfrac',
  'mi',
  'mmultiscripts',
  'mn',
  'mo',
  'mover',
  'mpadded',
  'mphantom',
  'mprescripts',
  'mroot',
  'mrow',
  'mspace',
  'msqrt',
  'mstyle',
  'msub',
  'msubsup',
  'msup',
  'mtable',
  'mtd',
  'mtext',
  'mtr',
  'munder',
  'munderover',
]);

/** Nothing may leave its place by much: a formula must not lie over what stands around it. */
const MOST: Readonly<Record<string, number>> = { em: 8, ex: 16, pt: 100, px: 130, '': 0 };
const LENGTH = /^([+-]?(?:\d{1,4}(?:\.\d{0,6})?|\.\d{1,6}))(em|ex|pt|px|)$/;
function isLength(value: string): boolean {
  const [, number = '', unit = ''] = LENGTH.exec(value) ?? [];
  return number !== '' && Math.abs(Number(number)) <= (MOST[unit] ?? 0);
}

const isOneOf =
  (...words: readonly string[]) =>
  (value: string): boolean =>
    words.includes(value);
const isTruth = isOneOf('true', 'false');
const ATTRIBUTES: readonly (readonly [string, (value: string) => boolean])[] = [
  ...[
    'accent',
    'accentunder',
    'displaystyle',
    'fence',
    'largeop',
    'movablelimits',
    'separator',
    'stretchy',
    'symmetric',
  ].map((name) => [name, isTruth] as const),
  ...['depth', 'height', 'linethickness', 'lspace', 'maxsize', 'minsize', 'rspace', 'voffset', 'width'].map(
    (name) => [name, isLength] as const,
  ),
  ['display', isOneOf('block')],
  ['form', isOneOf('prefix', 'infix', 'postfix')],
  ['mathvariant', isOneOf('normal')],
  ['scriptlevel', isOneOf('0', '1', '2')],
];

const BY_CLASS: Readonly<Record<string, string>> = {
  'tml-left': 'mm-left',
  'tml-right': 'mm-right',
  'tml-small': 'mm-small',
  'tml-jot': 'mm-jot',
  'tml-tag': 'mm-tag',
  'tml-fbox': 'mm-box',
  'tml-overline': 'mm-over',
  'tml-underline': 'mm-under',
  upstrike: 'mm-up',
  downstrike: 'mm-down',
  sout: 'mm-out',
  'tml-xcancel': 'mm-cross',
};

/** Style name, value, look. */
const BY_STYLE: readonly (readonly [string, RegExp, string])[] = [
  ['border', /solid/, 'mm-box'],
  ['borderLeft', /solid/, 'mm-line-left'],
  ['borderRight', /solid/, 'mm-line-right'],
  ['borderTop', /solid/, 'mm-line-top'],
  ['borderBottom', /solid/, 'mm-line-bottom'],
  ['paddingLeft', /^0[a-z]*$/, 'mm-flush-left'],
  ['paddingRight', /^0[a-z]*$/, 'mm-flush-right'],
  ['fontWeight', /^bold$/, 'mm-bold'],
  ['font-weight', /^bold$/, 'mm-bold'],
];

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** A field of its own, as text; nothing that it inherits. */
const ownText = (fields: unknown, name: string): string =>
  isFields(fields) && Object.hasOwn(fields, name) ? String(fields[name]) : '';

function toAttributes(raw: Fields): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [name, isAllowed] of ATTRIBUTES) {
    const value = ownText(raw['attributes'], name);
    if (value !== '' && isAllowed(value)) attributes[name] = value;
  }
  return attributes;
}

const classesOf = (raw: Fields): readonly unknown[] => (Array.isArray(raw['classes']) ? raw['classes'] : []);

function toLooks(raw: Fields): readonly string[] {
  const looks = classesOf(raw).flatMap((name) =>
    typeof name === 'string' && Object.hasOwn(BY_CLASS, name) ? [BY_CLASS[name] ?? ''] : [],
  );
  for (const [name, pattern, look] of BY_STYLE) if (pattern.test(ownText(raw['style'], name))) looks.push(look);
  if (ownText(raw['attributes'], 'style') === 'font-weight:bold') looks.push('mm-bold');
  return [...new Set(looks)];
}

interface Budget {
  nodes: number;
}

function toChildren(children: readonly unknown[], depth: number, budget: Budget): readonly Part[] | null {
  const parts: Part[] = [];
  for (const child of children) {
    const found = toParts(child, depth, budget);
    if (!found) return null;
    for (const part of found) {
      const last = parts.at(-1);
      if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
      else parts.push(part);
    }
  }
  return parts;
}

/** Null refuses the whole formula. */
function toParts(raw: unknown, depth: number, budget: Budget): readonly Part[] | null {
  budget.nodes += 1;
  if (depth > MAX_DEPTH || budget.nodes > MAX_NODES || !isFields(raw)) return null;
  const { type, text, children } = raw;
  if (children === undefined) return typeof text === 'string' ? [text] : null;
  if (!Array.isArray(children)) return null;
  if (typeof type === 'string') {
    if (!ELEMENTS.has(type)) return null;
    const inner = toChildren(children, depth + 1, budget);
    return inner && [{ name: type, attributes: toAttributes(raw), looks: toLooks(raw), children: inner }];
  }
  // What is no element of MathML is a group, the number of an equation, which would count the answer's, or a link.
  if ('href' in raw || 'src' in raw) return null;
  return classesOf(raw).includes('tml-eqn') ? [] : toChildren(children, depth + 1, budget);
}

/** The tree of a formula with nothing in it but what is allowed; null where it is not to be shown. */
export function toAllowed(raw: unknown): MathElement | null {
  const parts = toParts(raw, 0, { nodes: 0 });
  const [math, ...more] = parts ?? [];
  return typeof math === 'object' && math.name === 'math' && more.length === 0 ? math : null;
}
