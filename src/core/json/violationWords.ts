// Rewrites the schema validator's messages in the words of people who write schemas. Other messages stay. Pure.

type Rewrite = readonly [RegExp, string];

const REWRITES: readonly Rewrite[] = [
  [/^False boolean schema\.$/, 'The schema does not allow this.'],
  [/^Instance type "(.+?)" is invalid\. Expected "(.+)"\.$/, 'This is of type $1; the schema asks for "$2".'],
  [/^Instance does not have required property (".+")\.$/, 'The property $1 is missing.'],
  [/^Instance does not match any of (\[.*\])\.$/s, 'This must be one of $1.'],
  [/^Instance does not match any subschemas\.$/, 'This matches none of the schema’s alternatives.'],
  [
    /^Instance does not match exactly one subschema \(0 matches\)\.$/,
    'This matches none of the schema’s alternatives.',
  ],
  [
    /^Instance does not match exactly one subschema \((\d+) matches\)\.$/,
    'This matches $1 of the schema’s alternatives, but must match only one.',
  ],
  [/^Instance does not match every subschema\.$/, 'This does not match all parts of the schema.'],
  [/^Instance matched "not" schema\.$/, 'The schema forbids this value.'],
  [/^Instance has (".+?") but does not (?:have|match) (.+)\.$/, 'With the property $1 the schema also asks for $2.'],
  [/^Instance does not match (".*"|-?\d.*|true|false|null|[[{].*)\.$/s, 'This must be $1.'],
  [/^String does not match pattern\.$/, 'The text does not match the pattern.'],
  [/^String does not match format "(.+)"\.$/, 'The text is not a valid $1.'],
  [/^String is too (long|short) \((\d+) [<>] (\d+)\)\.$/, 'The text is too $1: $2 characters, the limit is $3.'],
  [/^Array has too (few|many) items \((\d+) [<>] (\d+)\)\.$/, 'The list has too $1 entries: $2, the limit is $3.'],
  [/^Duplicate items at indexes (\d+) and (\d+)\.$/, 'Entries $1 and $2 (from 0) are the same.'],
  [
    /^Array (?:does not contain item|is empty\. It must contain at least one item) matching (?:the )?schema\.$/,
    'The list has no entry that matches the schema.',
  ],
];

/** `keyword`: the violated keyword of the schema. */
export function toViolationText(keyword: string, message: string): string {
  // The validator has the same message for too many and too few properties.
  const most = keyword === 'maxProperties' ? /at least (\d+)/.exec(message)?.[1] : undefined;
  if (most !== undefined) return `This has more than ${most} properties.`;
  const least = keyword === 'minProperties' ? /at least (\d+)/.exec(message)?.[1] : undefined;
  if (least !== undefined) return `This has fewer than ${least} properties.`;
  const rewrite = REWRITES.find(([pattern]) => pattern.test(message));
  return rewrite ? message.replace(rewrite[0], rewrite[1]) : message;
}
