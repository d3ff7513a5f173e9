// Bounds of a JSON schema that nothing can lie between. Pure; what a bound may be is said elsewhere: of others nothing
// is said.
import { isEmptyRange, toBound } from '#shared/contract/numberBounds.ts';

type Keywords = Readonly<Record<string, unknown>>;

export interface EmptyBounds {
  /** Where it is said. */
  readonly keyword: string;
  readonly message: string;
  /** Values of another type satisfy the schema all the same. */
  readonly isWarning: boolean;
}

/** Keywords of counts that belong together, with the type of the values that they count. */
const PAIRS = [
  ['string', 'minLength', 'maxLength'],
  ['array', 'minItems', 'maxItems'],
  ['array', 'minContains', 'maxContains'],
  ['object', 'minProperties', 'maxProperties'],
] as const;

const toNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Without `type` each keyword tells it; keywords of other types have no effect. */
function isOf({ type }: Keywords, name: string): boolean {
  return type === undefined || type === name || (Array.isArray(type) && type.includes(name));
}

function findEmptyRange(schema: Keywords): readonly EmptyBounds[] {
  const isInteger = schema['type'] !== undefined && !isOf(schema, 'number');
  if (isInteger && !isOf(schema, 'integer')) return [];
  const min = toBound(toNumber(schema['minimum']), toNumber(schema['exclusiveMinimum']), 1);
  const max = toBound(toNumber(schema['maximum']), toNumber(schema['exclusiveMaximum']), -1);
  const nothing = `No ${isInteger ? 'whole number' : 'number'} lies between the two bounds. Correct one of them.`;
  const isWarning = schema['type'] !== 'number' && schema['type'] !== 'integer';
  return isEmptyRange(min, max, isInteger)
    ? [{ keyword: min?.isExclusive === true ? 'exclusiveMinimum' : 'minimum', message: nothing, isWarning }]
    : [];
}

export function findEmptyBounds(schema: Keywords): readonly EmptyBounds[] {
  const counts = PAIRS.flatMap(([type, least, most]): EmptyBounds[] => {
    const [min, max] = [toNumber(schema[least]), toNumber(schema[most])];
    if (
      !isOf(schema, type) ||
      min === null ||
      max === null ||
      min <= max ||
      (least === 'minContains' && schema['contains'] === undefined)
    )
      return [];
    return [
      {
        keyword: least,
        message: `“${least}” is larger than “${most}”, so nothing can satisfy both. Correct one of them.`,
        isWarning: schema['type'] !== type,
      },
    ];
  });
  return [...findEmptyRange(schema), ...counts];
}
