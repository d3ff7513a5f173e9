// Bounds of a JSON schema that no value satisfies. Pure. Ignores values that are no bounds: `schemaFaults.ts` reports
// them.
import { isEmptyRange, toBound } from '#core/contract/numberBounds.ts';

type Keywords = Readonly<Record<string, unknown>>;

export interface EmptyBounds {
  /** The keyword that the fault is reported at. */
  readonly keyword: string;
  readonly message: string;
  /** Values of another type still satisfy the schema. */
  readonly isWarning: boolean;
}

/** The bounds of each count, with the type of the values that they apply to. */
const PAIRS = [
  ['string', 'minLength', 'maxLength'],
  ['array', 'minItems', 'maxItems'],
  ['array', 'minContains', 'maxContains'],
  ['object', 'minProperties', 'maxProperties'],
] as const;

const toNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Whether `type` allows the type `name`. Without `type` it does: each keyword then applies to its own type alone. */
function isTypeAllowed({ type }: Keywords, name: string): boolean {
  return type === undefined || type === name || (Array.isArray(type) && type.includes(name));
}

function findEmptyRange(schema: Keywords): readonly EmptyBounds[] {
  const isInteger = schema['type'] !== undefined && !isTypeAllowed(schema, 'number');
  if (isInteger && !isTypeAllowed(schema, 'integer')) return [];
  const min = toBound(toNumber(schema['minimum']), toNumber(schema['exclusiveMinimum']), 1);
  const max = toBound(toNumber(schema['maximum']), toNumber(schema['exclusiveMaximum']), -1);
  const message = `No ${isInteger ? 'whole number' : 'number'} lies between the two bounds. Correct one of them.`;
  const isWarning = schema['type'] !== 'number' && schema['type'] !== 'integer';
  return isEmptyRange(min, max, isInteger)
    ? [{ keyword: min?.isExclusive === true ? 'exclusiveMinimum' : 'minimum', message, isWarning }]
    : [];
}

export function findEmptyBounds(schema: Keywords): readonly EmptyBounds[] {
  const counts = PAIRS.flatMap(([type, least, most]): EmptyBounds[] => {
    const [min, max] = [toNumber(schema[least]), toNumber(schema[most])];
    if (
      !isTypeAllowed(schema, type) ||
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
