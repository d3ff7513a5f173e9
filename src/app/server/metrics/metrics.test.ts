import { expect, it } from 'vitest';
import { toPrometheus } from './metrics.ts';

it('writes the text form, with labels escaped', () => {
  expect(
    toPrometheus([
      {
        name: 'a_total',
        type: 'counter',
        help: 'It\ncounts.',
        samples: [{ value: 3 }, { labels: { x: 'a"b\\c\n' }, value: 0.5 }],
      },
      { name: 'none', type: 'gauge', help: 'Nothing.', samples: [] },
      { name: 'b', type: 'gauge', help: 'B.', samples: [{ labels: { x: '1', y: '2' }, value: 0 }] },
    ]),
  ).toBe(`# HELP model_studio_a_total It\\ncounts.
# TYPE model_studio_a_total counter
model_studio_a_total 3
model_studio_a_total{x="a\\"b\\\\c\\n"} 0.5
# HELP model_studio_b B.
# TYPE model_studio_b gauge
model_studio_b{x="1",y="2"} 0
`);
});
