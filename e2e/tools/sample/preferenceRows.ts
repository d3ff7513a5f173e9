// Pairs of replies for DPO and KTO, from the rows of the sample: the desk prefers replies that offer more help.
import * as z from 'zod/mini';

const OFFER = 'Please let me know if I can do anything else.';
const CLOSING = /\n\n(?:Best regards, the support team\.|Please let me know if I can do anything else\.)$/;

const rowSchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

/** A reply and the same one with the offer. Of a reply that has it the other one ends without a closing. */
export function toPreferenceLine(line: string): string {
  const { messages } = rowSchema.parse(JSON.parse(line));
  const reply = messages.at(-1)?.content ?? '';
  const body = reply.replace(CLOSING, '');
  const say = (content: string) => [{ role: 'assistant', content }];
  return JSON.stringify({
    messages: messages.slice(0, -1),
    chosen: say(`${body}\n\n${OFFER}`),
    rejected: say(reply.endsWith(OFFER) ? body : reply),
  });
}
