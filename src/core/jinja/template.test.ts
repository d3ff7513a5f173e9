// What each template gives was rendered by Jinja2 3.1.6 as transformers 5.24 sets it up.
import { describe, expect, it } from 'vitest';
import { hasFilter } from './filterNames.ts';
import { parseJson } from './json.ts';
import { openTemplate, toPython } from './template.ts';
import { RaisedByTemplate, TemplateError, TooMuchWork } from './templateError.ts';
import { Dict, type Value } from './values.ts';

const VALUES = parseJson(
  '{"text":"Hello, World","uni":"é 😀x","n":7,"neg":-3,"x":2.5,"yes":true,"nothing":null,"items":[3,1.0,"b",null,true],' +
    '"person":{"name":"Ann","items":"field","f":1.0,"none":null},"people":[{"name":"bob","age":3},{"name":"Al"}]}',
);

function render(source: string): string {
  const values = new Map<string, Value>();
  if (VALUES instanceof Dict) for (const [name, value] of VALUES.entries()) values.set(String(name), value);
  return openTemplate(source).render(values, () => new Date(2026, 10, 8, 9, 5));
}

const texts = (cases: readonly (readonly [source: string, text: string])[]): void =>
  it.each(cases)('%s', (source, text) => expect(render(source)).toBe(text));

describe('values print in the form of Python', () => {
  texts([
    ['{{ items }}', "[3, 1.0, 'b', None, True]"],
    ['{{ person }}', "{'name': 'Ann', 'items': 'field', 'f': 1.0, 'none': None}"],
    [
      '{{ (1,) }}{{ () }}{{ range(3) }}{{ person.keys() }}',
      "(1,)()range(0, 3)dict_keys(['name', 'items', 'f', 'none'])",
    ],
    ['{{ 1e16 }} {{ 1e-05 }} {{ 0.1 + 0.2 }} {{ -0.0 }} {{ 3.0 }}', '1e+16 1e-05 0.30000000000000004 -0.0 3.0'],
    ['{{ "it\'s" | list | string }} {{ ["a\\n", "\'\\""] }}', `['i', 't', "'", 's'] ['a\\n', '\\'"']`],
    ['{{ nothing }}|{{ missing }}|{{ [missing] }}', 'None||[Undefined]'],
    ['{{ 2 ** 70 }} {{ 9007199254740992 + 1 }}', '1180591620717411303424 9007199254740993'],
  ]);
});

describe('operators are those of Python', () => {
  texts([
    ['{{ "1" == 1 }} {{ [1] == [1.0] }} {{ true == 1 }} {{ {"a": 1} == {"a": true} }}', 'False True True True'],
    ['{{ -7 % 3 }} {{ -7 // 2 }} {{ 7.5 % -2 }} {{ 7 / 2 }} {{ 4 / 2 }}', '2 -4 -0.5 3.5 2.0'],
    ['{{ 2 ** 3 ** 2 }} {{ -2 ** 2 }} {{ 1 ~ 2 * 3 }}', '64 4 16'],
    ['{{ not n in [7] }} {{ 1 < n <= 7 }} {{ n is not none }}', 'False True True'],
    ['{{ [1] + [2] }} {{ "ab" * 2 }} {{ items and "x" }} {{ 0 or "y" }}', '[1, 2] abab x y'],
    ['{{ "é" in uni }} {{ "name" in person }} {{ 1 in items }}', 'True True True'],
    ["{{ 'a' if missing }}|{{ 'a' if n }}", '|a'],
    ['{{ "%s %r %05.1f %-3d|" % ("a", "b", 2.25, 4) }}{{ "{:>5}{!r}".format(1, "a") }}', "a 'b' 002.2 4  |    1'a'"],
    ['{{ "{:05d}|{:.2f}|{:*^7}|{:8}|".format(-4, 2.5, "ab", "c") }}', '-0004|2.50|**ab***|c       |'],
  ]);
});

describe('texts, lists and dicts have the methods and slices of Python', () => {
  texts([
    ['{{ uni[2] }}{{ uni | length }}{{ uni[::-1] }}{{ text[-5:] }}{{ items[1:4:2] }}', '😀4x😀 éWorld[1.0, None]'],
    ['{{ person.items() | list | first }}{{ person["items"] }}{{ person.f }}', "('name', 'Ann')field1.0"],
    [
      '{{ " a  b ".split() }}{{ "a,b,c".split(",", 1) }}{{ "a,b,c".rsplit(",", 1) }}',
      "['a', 'b']['a', 'b,c']['a,b', 'c']",
    ],
    ['{{ text.startswith(("x", "H")) }}{{ text.partition(", ") }}', "True('Hello', ', ', 'World')"],
    ['{{ "a\\x1cb\\u2028c".splitlines() }}{{ "x\\ufeff".strip() | length }}', "['a', 'b', 'c']2"],
    ['{{ person.get("q") }}{{ person.get("q", 1) }}{{ person.q }}{{ person.append }}', 'None1'],
    ['{{ "they\'re bill\'s".title() }}{{ "ß".upper() }}{{ "x".zfill(3) }}', "They'Re Bill'SSS00x"],
  ]);
});

describe('filters and tests are those of Jinja2', () => {
  texts([
    ['{{ missing | upper }}|{{ nothing | trim }}|{{ items | upper }}', "|None|[3, 1.0, 'B', NONE, TRUE]"],
    ['{{ person | tojson }}', '{"name": "Ann", "items": "field", "f": 1.0, "none": null}'],
    ['{{ "é<" | tojson }}{{ "é" | tojson(ensure_ascii=true) }}{{ [1] | tojson(indent=1) }}', '"é<""\\u00e9"[\n 1\n]'],
    [
      '{{ people | selectattr("age") | map(attribute="name") | join }}{{ people | map(attribute="age", default=0) | list }}',
      'bob[3, 0]',
    ],
    ['{{ missing | selectattr("a") | list }}{{ missing | list }}', '[][]'],
    ['{{ 2.5 | round }}{{ 3.5 | round | int }}{{ 7 | round }}{{ "4.9" | int }}', '2.0474'],
    ['{{ ["b", "A"] | sort }}{{ {"b": 1, "A": 2} | dictsort }}', "['A', 'b'][('A', 2), ('b', 1)]"],
    [
      '{{ text is iterable }}{{ text is sequence }}{{ yes is integer }}{{ 1.0 is integer }}{{ yes is number }}',
      'TrueTrueFalseFalseTrue',
    ],
    ['{% for g in people | groupby("age", default=0) %}{{ g.grouper }}{{ g.list | length }};{% endfor %}', '01;31;'],
    ['{{ ("<a>" | safe).join(["<", 1]) }}', '&lt;<a>1'],
    ['{{ "<b>" | safe + "<" }}{{ "a\\nb" | indent(2, true) }}', '<b>&lt;  a\n  b'],
    ['{{ strftime_now("%d %b %Y, %-d %H:%M %A") }}', '08 Nov 2026, 8 09:05 Sunday'],
    ['{{ strftime_now("%c|%x|%r|%_d|%^a|%Q|%q") }}', 'Sun Nov  8 09:05:00 2026|11/08/26|09:05:00 AM| 8|SUN|%Q|%q'],
  ]);
});

describe('statements run as in Jinja2', () => {
  texts([
    [
      '{% for i in range(5) %}a{{ i }}{% if i == 1 %}{% continue %}{% endif %}{% if i == 3 %}{% break %}{% endif %}.{% endfor %}',
      'a0.a1a2.a3',
    ],
    ['{% for i in [1] %}{% continue %}{% else %}empty{% endfor %}', 'empty'],
    ['{% set v = 1 %}{% for i in [2, 3] %}{{ v }}{% set v = i %}{{ v }}{% endfor %}{{ v }}', '12131'],
    [
      '{% for i in items %}{{ loop.index }}{{ loop.last }}{{ loop.previtem }} {% endfor %}',
      '1False 2False3 3False1.0 4Falseb 5TrueNone ',
    ],
    ['{% set ns = namespace(a=1) %}{% for i in [1, 2] %}{% set ns.a = ns.a + i %}{% endfor %}{{ ns.a }}', '4'],
    [
      '{% macro m(a, b="q") %}{{ a }}{{ b }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, c=4) }}',
      "12(3,){'c': 4}",
    ],
    ['{% macro m() %}<{{ caller(1) }}>{% endmacro %}{% call(q) m() %}{{ q }}{% endcall %}', '<1>'],
    ['{% generation %}{% set v = 1 %}{{ v }}{% endgeneration %}{{ v }}', '1'],
    ['{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}', '123'],
    [
      '{% for i in [[1, [2]]] recursive %}{{ loop.depth }}{% if i is iterable %}{{ loop(i) }}{% endif %}{% endfor %}',
      '1223',
    ],
    ['{% set x | upper %}a{{ n }}{% endset %}{{ x }}{% filter trim %} b {% endfilter %}', 'A7b'],
    ['{% with a = 1, b = n %}{{ a }}{{ b }}{% endwith %}{{ a }}', '17'],
  ]);
});

describe('white space is cut as trim_blocks and lstrip_blocks cut it', () => {
  texts([
    ['a\n  {% if yes %}\n  b\n  {% endif %}\nc\n', 'a\n  b\nc'],
    ['a\r\n{% if yes %}\r\nb\r{% endif %}', 'a\nb\n'],
    ['a  {{- n -}}  b {#- c -#} d', 'a7bd'],
    ['  {%+ if yes %}x{% endif +%}\ny', '  x\ny'],
    ['{% raw %} {{ x }} {% endraw %}\nz', ' {{ x }} z'],
  ]);
});

describe('what Python refuses is refused', () => {
  it.each([
    '{{ missing.a }}',
    '{{ missing + 1 }}',
    '{{ "a" + 1 }}',
    '{{ nothing[1:] }}',
    '{{ items.append(1) }}',
    '{% set person.a = 1 %}',
    '{{ range(100001) }}',
    '{{ people | map(attribute="name") | length }}',
    '{{ missing | tojson }}',
    '{{ items | sort }}',
    '{% for a, b in [(1,)] %}{% endfor %}',
    '{{ 1 / 0 }}',
    '{% include "a" %}',
    '{{ text | wordwrap }}',
    '{{ "%d" % "a" }}',
    '{{ "{:,}".format(1) }}',
    '{{ "%x" % 1 }}',
    '{{ "x".__class__.__mro__ }}',
  ])('%s', (source) => expect(() => render(source)).toThrow(TemplateError));

  it.each([
    '{% if %}',
    '{{ a | nothing_such }}',
    '{% continue %}',
    '{% for i in a %}{% generation %}{% break %}{% endgeneration %}{% endfor %}',
    '{{ a',
    '{% for loop in a %}{% endfor %}',
    '{{ a is none is none }}',
    '{% endif %}',
  ])('%s, before it is rendered', (source) => expect(() => openTemplate(source)).toThrow(TemplateError));

  it('an unknown filter inside an if matters only once it is reached', () => {
    expect(render('{% if missing %}{{ n | nothing_such }}{% endif %}ok')).toBe('ok');
  });
});

describe('errors', () => {
  it('name the line of the template', () => {
    expect(() => render('a\n{{ n }}\n{{ missing.name }}')).toThrow("'missing' is undefined (line 3)");
  });

  it('hold the words of a template that refuses, alone', () => {
    const refuse = (): string => render("\n{{ raise_exception('No system role') }}");
    expect(refuse).toThrow(RaisedByTemplate);
    expect(refuse).toThrow(/^No system role$/);
  });
});

describe('a template that does not end is ended', () => {
  it.each([
    '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}',
    '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
    '{% set ns = namespace(t="aaaaaaaa") %}{% for i in range(99) %}{% set ns.t = ns.t + ns.t %}{% endfor %}',
    '{{ "a" * 10 ** 10 }}',
    '{{ [1] * 10 ** 9 }}',
    '{{ 9 ** (9 ** 9) }}',
    '{{ "%999999999d" % 1 }}',
    '{{ "{:>999999999}".format(1) }}',
    '{{ "a".center(10 ** 9) }}',
    '{% set ns = namespace(l=[1]) %}{% for i in range(99) %}{% set ns.l = ns.l + ns.l %}{% endfor %}',
  ])('%s', (source) => {
    expect(() => render(source)).toThrow(TooMuchWork);
  });
});

it('knows the names of the filters that it has', () => {
  for (const name of 'abs batch dictsort format groupby map pprint selectattr slice tojson wordwrap xmlattr'.split(' '))
    expect(hasFilter(name)).toBe(true);
  expect(hasFilter('constructor')).toBe(false);
});

describe('JSON', () => {
  it('keeps what JSON.parse loses: floats that are whole, long ints, the order of keys', () => {
    const value = parseJson('{"b": 1.0, "1": 12345678901234567890, "c": [1e2, -0.0]}');
    const text = openTemplate('{{ v | tojson }}').render(new Map([['v', value]]), () => new Date());
    expect(text).toBe('{"b": 1.0, "1": 12345678901234567890, "c": [100.0, -0.0]}');
  });

  it.each(['{"a":}', '[1,]', '01', '"\u0001"', '', 'nul', '{"a":1} x'])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(TemplateError);
  });

  it('of JavaScript becomes values of Python', () => {
    expect(toPython([1, 1.5, 'a', null, true])).toEqual([1, expect.objectContaining({ value: 1.5 }), 'a', null, true]);
  });
});
