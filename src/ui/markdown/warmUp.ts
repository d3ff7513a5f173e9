// Has the browser compile the lexer before the first answer comes: cold, its first lines take ten times as long as
// later.
import { allBlocks, EMPTY_MARKDOWN, reduceMarkdown } from './markdownSplit.ts';

/** A sample with every kind of block. */
const SAMPLE = `## A **heading**

Words with **bold**, *em*, ~~del~~, \`code\`, a [link](https://example.com "title"), https://example.com and $x_1$.
A second line &amp; more.

- one \`a\`
- [x] two
  1. inner **b**

| a | b |
| --- | ---: |
| 1 | *c* |

> quoted **words**

\`\`\`python
print(1)
\`\`\`

---
The end.
`;

/** The browser optimizes code that has run several times. */
const ROUNDS = 6;
const BLOCKS = SAMPLE.split(/\n\n(?=\S)/);

/** Reads a sample, one block each time that there is time: the first of each kind takes several milliseconds. */
export function warmUp(whenIdle: (onIdle: () => void, ms: number) => unknown, done = 0): void {
  whenIdle(() => {
    const state = reduceMarkdown(EMPTY_MARKDOWN, BLOCKS[done % BLOCKS.length] ?? '', done % 2 === 0);
    // What stands inside the blocks is read when it is asked for.
    JSON.stringify(allBlocks(state));
    if (done + 1 < ROUNDS * BLOCKS.length) warmUp(whenIdle, done + 1);
  }, 0);
}
