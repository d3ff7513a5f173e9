// For tests: what the formats of an exported model say.
import type { ExportParity } from './exportParity.ts';

export const toParity = (is_served: boolean, is_refused: boolean): ExportParity => ({
  prompts: 50,
  exact_match: 0.98,
  formats: [
    {
      format: 'F16',
      is_served,
      equal: 0.9,
      exact_match: 0.885,
      lost: 0.095,
      lost_from: 0.01,
      lost_to: 0.2,
      is_refused,
      first_difference: { prompt: 'p', at: 3, before: 'abcd', after: 'abce' },
    },
  ],
});
