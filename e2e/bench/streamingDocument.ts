// A long markdown answer for the streaming benchmark, always the same: headings, prose, lists, tables, code, links.

const WORDS = [
  'model',
  'gradient',
  'batch',
  'the',
  'rate',
  'learns',
  'slowly',
  'from',
  'held-out',
  'rows',
  'and',
  'a',
  'snapshot',
  'converges',
  'after',
  'three',
  'epochs',
  'while',
  '**loss**',
  '`n_epochs`',
  '*roughly*',
  'halves',
  'with',
  'LoRA',
  'adapters',
  'at',
  'rank',
  'eight',
  '[docs](https://example.com/guide)',
];

/** A small generator with a fixed start, so that every run streams the same text. */
function makeRandom(): () => number {
  let state = 20_261_120;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const LINES = [
  'def step(rate, rows):',
  '    total = sum(loss(row) for row in rows)',
  '    return rate * total / len(rows)',
  '',
  'for epoch in range(3):',
  '    print(step(0.5, rows))',
];

/** About `words` words of markdown. */
export function makeDocument(words: number): string {
  const random = makeRandom();
  const pick = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? 'word';
  const say = (count: number): string => Array.from({ length: count }, pick).join(' ');
  const parts: string[] = [];
  let count = 0;
  const add = (block: string): void => {
    parts.push(block);
    count += block.split(/\s+/).length;
  };
  for (let section = 1; ; section += 1) {
    if (count >= words) return parts.join('\n\n');
    add(`## Section ${section}: ${say(4)}`);
    add(`${say(45)}.`);
    add(`${say(30)}.\n${say(25)}.`);
    add(Array.from({ length: 5 }, () => `- ${say(9)}`).join('\n'));
    add(`${say(50)}.`);
    add(`1. ${say(8)}\n   - ${say(5)}\n   - ${say(6)}\n2. ${say(7)}`);
    add(
      `| name | ${pick()} | note |\n| --- | ---: | --- ` +
        `|\n${Array.from({ length: 5 }, (_, row) => `| row ${row} | ${Math.floor(random() * 1000)} | ${say(4)} |`).join('\n')}`,
    );
    add(`> ${say(20)}`);
    add(`\`\`\`python\n${Array.from({ length: 2 + (section % 3) }, () => LINES.join('\n')).join('\n')}\n\`\`\``);
    add(`${say(60)}.`);
  }
}

/** The letters and digits that a reader sees of the document, to compare with what a page shows. */
export function toLetters(markdown: string): string {
  const seen = markdown
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/^```\w*$/gm, '')
    .replace(/^\s*\d+\. /gm, '');
  return seen.replace(/[^\p{L}\p{N}]+/gu, '');
}
