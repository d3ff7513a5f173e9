// Examples of tools and schemas for the editors: general ones, and those that the models of the sample project were
// trained for.

export interface JsonExample {
  readonly label: string;
  readonly text: string;
}

const toText = (value: unknown): string => JSON.stringify(value, null, 2);

const text = (description: string): object => ({ type: 'string', description });

function toTool(
  name: string,
  description: string,
  properties: Readonly<Record<string, object>>,
  required = Object.keys(properties),
): object {
  return {
    type: 'function',
    function: { name, description, parameters: { type: 'object', properties, required, additionalProperties: false } },
  };
}

const ORDER = { order_id: text('The order number as the customer wrote it: ORD-12345, SO123456 or #123456') };

export const TOOL_EXAMPLES: readonly JsonExample[] = [
  {
    label: 'Weather',
    text: toText([
      toTool(
        'get_weather',
        'Current weather in a city',
        { city: text('The city, such as Bern'), unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
        ['city'],
      ),
    ]),
  },
  {
    label: 'Order tools',
    text: toText([
      toTool('get_order_status', 'Where an order is', ORDER),
      toTool('cancel_order', 'Cancels an order', ORDER),
      toTool('request_refund', 'Asks for the money of an order back', ORDER),
      toTool('change_address', 'Sends an order to another city', { ...ORDER, city: text('The new city') }),
    ]),
  },
];

export const SCHEMA_EXAMPLES: readonly JsonExample[] = [
  {
    label: 'Ticket triage',
    text: toText({
      type: 'object',
      properties: {
        category: { type: 'string', enum: ['billing', 'shipping', 'returns', 'technical', 'account'] },
        priority: { type: 'string', enum: ['low', 'normal', 'high', 'urgent'] },
        sentiment: { type: 'string', enum: ['positive', 'neutral', 'negative'] },
      },
      required: ['category', 'priority', 'sentiment'],
      additionalProperties: false,
    }),
  },
  {
    label: 'List of facts',
    text: toText({
      type: 'object',
      properties: {
        facts: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, value: { type: 'string' } },
            required: ['name', 'value'],
            additionalProperties: false,
          },
        },
      },
      required: ['facts'],
      additionalProperties: false,
    }),
  },
];

/** Appends the tools of an example to a typed list; null if the text is not a list. */
export function appendTools(typed: string, example: string): string | null {
  const items = example.trim().slice(1, -1).trim();
  const list = /^\s*\[([\s\S]*)\]\s*$/.exec(typed)?.[1];
  if (list === undefined) return null;
  return list.trim() === '' ? example : `[\n  ${list.trim()},\n  ${items}\n]`;
}
