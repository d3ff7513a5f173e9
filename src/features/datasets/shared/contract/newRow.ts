// A row that a caller writes: messages, and tools in the forms of common files.
import * as z from 'zod/mini';
import { rowMessageSchema } from '#core/contract/chatMessage.ts';
import { MESSAGE_LIMITS } from '#core/contract/limits.ts';

const named = { name: z.string().check(z.minLength(1)) };

/** As in a chat request, or the bare function. */
const rowToolSchema = z.union(
  [z.looseObject({ function: z.looseObject(named) }), z.looseObject({ ...named, function: z.optional(z.null()) })],
  'must have a name: {"type":"function","function":{"name":…}}',
);

export const newRowFields = {
  messages: z.array(rowMessageSchema).check(z.minLength(MESSAGE_LIMITS.min), z.maxLength(MESSAGE_LIMITS.max)),
  tools: z.optional(z.array(rowToolSchema)),
};

export const newRowSchema = z.looseObject(newRowFields);
