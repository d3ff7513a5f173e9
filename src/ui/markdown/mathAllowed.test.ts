import { describe, expect, it } from 'vitest';
import { toAllowed, type MathElement } from './mathAllowed.ts';

const node = (type: string, more: object = {}): object => ({
  type,
  attributes: {},
  classes: [],
  style: {},
  children: [],
  ...more,
});
const math = (...children: readonly unknown[]): object => node('math', { children });
/** The one element in a formula. */
const inner = (raw: object): MathElement => {
  const [only] = toAllowed(math(raw))?.children ?? [];
  if (typeof only !== 'object') throw new Error('expected an element');
  return only;
};

describe('toAllowed', () => {
  it('keeps elements, texts, and groups as their contents', () => {
    const raw = math(node('mn', { children: [{ text: '1' }, { text: '2' }] }), {
      children: [node('mi', { children: [{ text: 'x' }] })],
      classes: [],
      style: {},
    });
    expect(toAllowed(raw)?.children).toEqual([
      { name: 'mn', attributes: {}, looks: [], children: ['12'] },
      { name: 'mi', attributes: {}, looks: [], children: ['x'] },
    ]);
  });

  it.each<[string, unknown]>([
    ['a link', { href: 'https://evil.example', classes: [], children: [{ text: 'x' }] }],
    ['an image', { src: 'https://evil.example/i.png', alt: 'x', classes: [], style: {} }],
    ['an image with contents', { src: 'x', children: [] }],
    ['a script', node('script', { children: [{ text: 'alert(1)' }] })],
    ['HTML inside of MathML', node('annotation-xml', { children: [] })],
    ['an action', node('maction')],
    ['an image of MathML', node('mglyph')],
    ['an error', node('merror')],
    ['an inherited name', node('constructor')],
    ['a text that is none', { text: 5 }],
    ['nothing', null],
    ['a list', []],
    ['a bare text', 'x'],
  ])('refuses a formula with %s in it', (_what, raw) => expect(toAllowed(math(raw))).toBeNull());

  it.each<[unknown]>([[null], ['x'], [{ text: 'x' }], [node('mrow')], [{ children: [math(), math()] }], [undefined]])(
    'refuses what is no formula: %j',
    (raw) => expect(toAllowed(raw)).toBeNull(),
  );

  it.each<[string, string, boolean]>([
    ['stretchy', 'true', true],
    ['lspace', '0.22em', true],
    ['width', '-0.1667em', true],
    ['voffset', '-8em', true],
    ['form', 'prefix', true],
    ['linethickness', '0px', true],
    ['scriptlevel', '1', true],
    ['depth', '+0.18em', true],
    ['width', '9em', false],
    ['width', '-100em', false],
    ['height', '1e9em', false],
    ['width', '100%', false],
    ['width', '-1width', false],
    ['height', '99999999pt', false],
    ['lspace', 'calc(1em)', false],
    ['stretchy', 'url(https://evil.example)', false],
    ['mathbackground', 'red', false],
    ['mathsize', '1000%', false],
    ['href', 'https://evil.example', false],
    ['style', 'position:fixed', false],
    ['onclick', 'alert(1)', false],
    ['class', 'x', false],
    ['id', 'root', false],
    ['data-x', '1', false],
    ['src', 'x', false],
    ['xlink:href', 'x', false],
    ['actiontype', 'statusline#x', false],
    ['__proto__', 'x', false],
    ['constructor', 'x', false],
  ])('attribute %s="%s": %s', (name, value, isKept) => {
    const attributes = Object.fromEntries([[name, value]]) as object;
    expect(inner(node('mo', { attributes })).attributes).toEqual(isKept ? { [name]: value } : {});
  });

  it('keeps a few classes and styles, and drops all others', () => {
    const raw = node('mtd', {
      classes: ['tml-right', 'tml-right', 'evil', '__proto__', 'constructor', 5],
      style: {
        paddingLeft: '0em',
        borderRight: '0.06em solid',
        position: 'fixed',
        background: 'url(https://evil.example)',
        width: '9999px',
      },
    });
    expect(inner(raw).looks).toEqual(['mm-right', 'mm-line-right', 'mm-flush-left']);
    expect(inner(node('mstyle', { attributes: { style: 'font-weight:bold' } })).looks).toEqual(['mm-bold']);
    expect(inner(node('mstyle', { attributes: { style: 'font-weight:bold;position:fixed' } }))).toEqual({
      name: 'mstyle',
      attributes: {},
      looks: [],
      children: [],
    });
  });

  it('leaves out the number of an equation, which would count those of the whole page', () => {
    expect(
      inner(node('mtext', { children: [{ classes: ['tml-eqn'], attributes: {}, style: {}, children: [] }] })).children,
    ).toEqual([]);
  });

  it('refuses trees that are too deep or too large', () => {
    const nest = (depth: number): object => (depth === 0 ? node('mi') : node('mrow', { children: [nest(depth - 1)] }));
    expect(toAllowed(math(nest(40)))).not.toBeNull();
    expect(toAllowed(math(nest(60)))).toBeNull();
    expect(toAllowed(math(...Array.from({ length: 1000 }, () => node('mi'))))).not.toBeNull();
    expect(toAllowed(math(...Array.from({ length: 5000 }, () => node('mi'))))).toBeNull();
    expect(Object.hasOwn(Object.prototype, 'evil')).toBe(false);
  });
});
