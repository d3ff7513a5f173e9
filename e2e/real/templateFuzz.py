"""Small random templates over Python values: expressions, filters, tests, methods, statements. The same seed gives the same ones."""
import random

NAMES = ["text", "words", "empty", "uni", "n", "neg", "big", "x", "small", "yes", "no", "nothing", "items", "nested", "pairs",
         "person", "people", "table", "missing"]
VALUES = {
    "text": "Hello, World", "words": "  the quick brown-fox  jumps\tover\n", "empty": "", "uni": "Straße é 你好 😀x ǆ",
    "n": 7, "neg": -3, "big": 12345678901234567890, "x": 2.5, "small": 1e-07, "yes": True, "no": False, "nothing": None,
    "items": [3, 1.0, "b", None, True], "nested": [[1, 2], [3, [4, "x"]], []], "pairs": [["a", 1], ["b", 2.0]],
    "person": {"name": "Ann", "age": 41, "tags": ["x", "é"], "items": "field", "f": 1.0, "none": None},
    "people": [{"name": "bob", "age": 3, "team": "B"}, {"name": "Al", "age": 10, "team": "a"}, {"name": "cy", "age": 3, "team": "A"},
               {"name": "Dee", "team": "b"}],
    "table": {"b": 2, "a": 1.5, "C": "z", "1": [True]},
}
LITERALS = ["0", "1", "2", "-1", "3", "10", "1.5", "-0.0", "1e3", "0.1", "1e16", "123456789.123", "''", "'a'", "'l'", "' '", "'ab c'", "'%s|%5d'", "'{}-{!r}'",
            "'\\n'", "'Al'", "'3'", "'4.2'", "'name'", "'<b>&\"'", "[]", "[1, 2, 3]", "['b', 'A', 'c']", "(1, 'x')", "(1,)", "()", "{}", "{'a': 1, 'b': [2.0]}",
            "true", "false", "none", "range(4)", "range(5, 0, -2)", "[1, 2.0, 2]", "'é'"]
FILTERS = {
    "abs": [""], "batch": ["(2)", "(3, 'z')"], "capitalize": [""], "center": ["(9)", "(2)"], "count": [""], "d": ["(1)", "('q', true)"],
    "default": ["", "('q', boolean=true)"], "dictsort": ["", "(true)", "(by='value')", "(reverse=true)"], "escape": [""], "e": [""],
    "first": [""], "float": ["", "(1.5)"], "forceescape": [""], "format": ["(1)", "('a', 2)", "(n=1)"],
    "groupby": ["('team')", "('age', default=0)"], "indent": ["", "(2)", "(2, true)", "('>', first=true, blank=true)"],
    "int": ["", "(5)"], "items": [""], "join": ["", "(', ')", "('-', attribute='name')"], "last": [""], "length": [""], "list": [""],
    "lower": [""], "map": ["('upper')", "(attribute='name')", "(attribute='age', default=9)", "('default', 3)", "('string')", "('length')"],
    "max": ["", "(attribute='name')"], "min": ["", "(true)"], "reject": ["", "('none')", "('string')"],
    "rejectattr": ["('age')", "('age', 'undefined')"], "replace": ["('l', 'L')", "('o', '0', 1)", "('', '-')"], "reverse": [""],
    "round": ["", "(1)", "(2, 'floor')", "(0, 'ceil')", "(-1)"], "safe": [""], "select": ["", "('number')", "('gt', 1)", "('in', [1, 'b'])"],
    "selectattr": ["('age')", "('age', 'eq', 3)", "('name', 'in', ['Al'])"], "slice": ["(2)", "(3, 'f')"], "sort": ["", "(reverse=true)", "(attribute='name')", "(attribute='age,name')", "(case_sensitive=true)"],
    "string": [""], "sum": ["", "(attribute='age')", "(start=1.5)"], "title": [""],
    "tojson": ["", "(indent=2)", "(ensure_ascii=true)", "(sort_keys=true)", "(separators=(',', ':'))"], "trim": ["", "('x ')"], "truncate": ["(5)", "(9, true)", "(8, false, '..', 0)"],
    "unique": ["", "(attribute='team')"], "upper": [""], "wordcount": [""], "attr": ["('name')", "('upper')"],
}
TESTS = ["boolean", "callable", "defined", "divisibleby 2", "divisibleby(3)", "eq 1", "even", "false", "float", "ge 1", "gt(0)", "in [1, 'a', none]", "integer", "iterable", "lower", "lt 3", "mapping", "ne ''",
         "none", "number", "odd", "sameas none", "sameas true", "sequence", "string", "true", "undefined", "upper", "filter", "test", "escaped", "not none", "not string", "not in 'abc'", "== 1"]
TEXT_METHODS = ["upper()", "lower()", "title()", "capitalize()", "swapcase()", "casefold()", "strip()", "strip('xHd ')", "lstrip()", "rstrip('\\n')", "split()", "split(' ')", "split('l', 1)", "rsplit('o', 1)", "rsplit(none, 1)", "split(maxsplit=1)",
                "splitlines()", "splitlines(true)", "replace('l', 'LL')", "replace('l', '', 1)", "startswith('He')", "startswith(('x', 'H'))", "endswith('d')", "find('o')", "rfind('o')", "find('o', 5)", "index('z')", "count('l')", "count('')", "join(['a', 'b'])", "join([1])",
                "center(15, '*')", "ljust(14)", "rjust(14, '.')", "zfill(15)", "isdigit()", "isalpha()", "isalnum()", "isspace()", "isupper()", "islower()", "istitle()", "isnumeric()", "isidentifier()", "isascii()", "isprintable()", "partition('o')", "rpartition('o')", "removeprefix('He')",
                "removesuffix('ld')", "expandtabs(4)", "format(1, 2)", "format(n, x=1)", "format_map({'a': 1})", "append", "__class__", "nope"]
OTHER_METHODS = ["get('a')", "get('name', 'q')", "get('zz', 3)", "items()", "keys()", "values()", "items() | list", "copy()", "pop('a')", "append(1)", "update({})", "index(1)", "count(1)", "clear", "a", "name", "items", "0", "age", "real", "bit_length()", "fromkeys(['q'], 1)"]
FORMATS = ["'%s' % {0}", "'%r' % ({0},)", "'%5.1f|%-4d|%05d' % ({0}, {1}, {0})", "'%(a)s' % {{'a': {0}}}", "'%10s|%-6s|%.2s' % ({0}, {1}, {0})", "'%%' % ()", "'%+d % d' % ({0}, {1})",
           "'{{:>8}}|{{:<5}}|{{:^7}}'.format({0}, {1}, {0})", "'{{:.2f}}'.format({0})", "'{{:05d}}'.format({0})", "'{{0[0]}} {{1!r:>9}}'.format({0}, {1})", "'{{a.name}}'.format(a={0})"]
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or"]
PLAIN = ['list', 'string', 'tojson', 'length', 'join(",")', 'first']
BLOCK_FILTERS = ['upper', 'trim', 'replace("e", "3") | title', 'indent(2)']
SLICES = ["[0]", "[-1]", "[1:]", "[:2]", "[::-1]", "[1:-1]", "[::2]", "[5:1:-2]", "[100]", "['name']", "['a']", "[none]", "[1.0]", "[true]", "[-3:]", "[:-100]", "[n:]"]


class Fuzz:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, values):
        return values[self.random.randrange(len(values))]

    def atom(self):
        return self.pick(NAMES) if self.random.random() < 0.6 else self.pick(LITERALS)

    def expression(self, depth):
        if depth == 0:
            return self.atom()
        inner = lambda: self.expression(depth - 1 if self.random.random() < 0.7 else 0)
        kind = self.random.random()
        if kind < 0.28:
            name = self.pick(sorted(FILTERS))
            return f"({inner()}) | {name}{self.pick(FILTERS[name])}"
        if kind < 0.36:
            return f"({inner()}) | {self.pick(PLAIN)}"
        if kind < 0.44:
            return f"({inner()}) is {self.pick(TESTS)}"
        if kind < 0.56:
            return f"{self.pick(['text', 'words', 'uni', 'empty', '(' + inner() + ')'])}.{self.pick(TEXT_METHODS)}"
        if kind < 0.63:
            return f"{self.pick(['items', 'person', 'table', 'n', 'x', 'dict', '(1, 2)', '(' + inner() + ')'])}.{self.pick(OTHER_METHODS)}"
        if kind < 0.70:
            return self.pick(FORMATS).format(self.atom(), self.atom())
        if kind < 0.86:
            operator = self.pick(OPERATORS)
            right = self.pick(["0", "2", "-2", "3"]) if operator == "**" else inner()
            return f"({inner()}) {operator} ({right})"
        if kind < 0.93:
            # Not of a constant: Jinja2 folds those while it compiles, by rules of their own.
            return f"{self.pick(NAMES)}{self.pick(['', '', '.items()', '.name', '[0]'])}{self.pick(SLICES)}"
        if kind < 0.95:
            return f"{inner()} if {inner()} else {inner()}" if self.random.random() < 0.7 else f"{inner()} if {inner()}"
        if kind < 0.97:
            return f"not {inner()}" if self.random.random() < 0.5 else f"-({inner()})"
        return f"{self.atom()} {self.pick(['<', '==', '>='])} {self.atom()} {self.pick(['<', '!=', 'in'])} {self.atom()}"

    def statement(self, depth):
        e = lambda: self.expression(1)
        body = lambda: self.body(depth - 1) if depth > 0 else "{{ " + e() + " }}"
        dash = lambda: self.pick(["", "", "", "-", "+"])
        end = lambda: self.pick(["", "", "", "-"])
        o, c = "{%" + dash(), end() + "%}"
        kind = self.random.randrange(14)
        if kind < 3:
            loop = self.pick(["{{ loop.index }}", "{{ loop.last }}{{ loop.length }}", "{{ loop.previtem }}/{{ loop.nextitem }}", "", "{% if loop.first %}F{% endif %}", "{{ loop.cycle('a', 'b') }}{{ loop.revindex0 }}", "{{ loop.changed(i) }}"])
            leave = self.pick(["", "", "{% if " + e() + " %}{% continue %}{% endif %}", "{% if loop.index > 1 %}{% break %}{% endif %}"])
            test = self.pick(["", "", " if i", " if i is defined"])
            other = self.pick(["", "{% else %}none"])
            return f"{o} for i in {e()}{test} {c}\n  [{loop}{leave}{{{{ i }}}}{body()}]\n{other}{o} endfor {c}"
        if kind == 3:
            return f"{o} for k, v in {self.pick(['person.items()', 'table | dictsort', 'pairs', 'table.items()', 'nested'])} {c}{{{{ k }}}}={{{{ v }}}};{o} endfor {c}"
        if kind == 4:
            return f"{o} if {e()} {c}  yes{body()}\n{o} elif {e()} {c}maybe{o} else {c}\tno\n  {o} endif {c}\n"
        if kind == 5:
            return f"{o} set v = {e()} {c}\n{{{{ v }}}}{body()}{{{{ v }}}}"
        if kind == 6:
            return f"{o} set v {c} {body()} {o} endset {c}<{{{{ v | trim }}}}>"
        if kind == 7:
            return f"{o} set ns = namespace(c=0) {c}{{% for i in {self.pick(['items', 'people', 'text', 'range(3)'])} %}}{{% set ns.c = ns.c + 1 %}}{{% set v = i %}}{{% endfor %}}{{{{ ns.c }}}}{{{{ v }}}}"
        if kind == 8:
            return f"{o} macro m(a, b={e()}) {c}({{{{ a }}}},{{{{ b }}}}{self.pick(['', '{{ varargs }}', '{{ kwargs }}', '{{ caller() if caller }}'])}){o} endmacro {c}{{{{ m({self.pick(['', '1', '1, 2', '1, 2, 3', 'b=1', 'z=1', 'a=2, b=3', '*items'])}) }}}}"
        if kind == 9:
            return f"{o} macro m(a) {c}<{{{{ a }}}}{{{{ caller(a) }}}}>{o} endmacro {c}{{% call(q) m({e()}) %}}{{{{ q }}}}!{{% endcall %}}"
        if kind == 10:
            return f"{o} filter {self.pick(BLOCK_FILTERS)} {c} {body()} {o} endfilter {c}"
        if kind == 11:
            return f"{o} with v = {e()}, w = v {c}{{{{ v }}}}{{{{ w }}}}{o} endwith {c}{{{{ v }}}}"
        if kind == 12:
            return f"{o} generation {c}{{% set v = 1 %}}{body()}{o} endgeneration {c}{{{{ v }}}}"
        return f"a  {{{{{dash().replace('+', '-')} {e()} {end()}}}}}  \n{{#{dash()} comment {end()}#}}\n  {{% raw %}} {{{{ x }}}}{{% endraw %}}\n"

    def body(self, depth):
        return "".join(self.statement(depth) if self.random.random() < 0.7 else "{{ " + self.expression(2) + " }}" for _ in range(self.random.randrange(1, 3)))

    def template(self, number):
        return "{{ " + self.expression(1 + number % 3) + " }}" if number % 3 else self.body(2)


def templates(seed, count):
    fuzz = Fuzz(seed)
    return [fuzz.template(number) for number in range(count)]
