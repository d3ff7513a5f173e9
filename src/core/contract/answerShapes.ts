// Shapes of answers and ways of decoding, as words of the wire. Without the schema library: the first view loads this.

/**
 * What the answers of a snapshot are. `fixed-set`: the same few again and again (labels, small JSON records);
 * `tool-calls`: calls of tools; `json`: JSON objects of many values; `text`: free text.
 */
export const ANSWER_SHAPES = ['fixed-set', 'tool-calls', 'json', 'text'] as const;
export type AnswerShape = (typeof ANSWER_SHAPES)[number];

/** How answers were generated for the measures: always the likeliest token, or drawn at random. */
export const DECODINGS = ['greedy', 'sampled'] as const;
