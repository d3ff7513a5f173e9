// Saved weights of a run of another trainer, and the ways to chat with them: strict schemas for what our service sends.
// ASSUMED: not in SPEC. Only a local studio reads folders and talks to engines.
import * as z from 'zod/mini';
import { maxCharacters } from '#core/contract/schemas.ts';

/**
 * `llama`: served by this studio's llama.cpp. `engine`: loaded by the server of `--engine` at run time. `command`: nothing
 * here can, but this command does.
 */
const SERVING_WAYS = ['llama', 'engine', 'command'] as const;

/** `saved`: numbers as they were saved. `q8_0`: in half the bytes of 16-bit ones. */
const GGUF_FORMS = ['saved', 'q8_0'] as const;

export const servingOfferSchema = z.strictObject({
  checkpoint: z.string(),
  /** The model that answers with these weights already; null: none. */
  model_id: z.nullable(z.string()),
  /** The weights as GGUF files to download; empty: they can't be, and the way `llama` says why. */
  files: z.array(
    z.strictObject({
      form: z.enum(GGUF_FORMS),
      /** Of its numbers, such as `BF16` or `Q8_0`; `adapter`, `GGUF`: it was one already. */
      type: z.string(),
      /** When it is downloaded. */
      name: z.string(),
      /** null: not known before. */
      bytes: z.nullable(z.int()),
    }),
  ),
  ways: z.array(
    z.strictObject({
      way: z.enum(SERVING_WAYS),
      title: z.string(),
      /** Why it can't be done now, and what to do; null: it can. */
      reason: z.nullable(z.string()),
      /** The models that the adapter could run on, the one whose name fits first. */
      bases: z.optional(
        z.array(
          z.strictObject({
            id: z.string(),
            has_fitting_name: z.boolean(),
            /** Why it can't be the base of this adapter; null: nothing speaks against it. */
            reason: z.nullable(z.string()),
            /** What differs from the run's base, and what is left out; one sentence each. */
            notes: z.array(z.string()),
          }),
        ),
      ),
      /** To copy into a shell on the machine of the server. */
      command: z.optional(z.string()),
    }),
  ),
});

const checkpointSchema = z
  .string()
  .check(maxCharacters(4096), z.describe('The path of the checkpoint, as the run names it.'));

/** The query of `GET /api/v1/studio/runs/{runId}/serving`. */
export const servingQuerySchema = z.object({ checkpoint: checkpointSchema });

/** `POST /api/v1/studio/runs/{runId}/serving`. */
export const servingRequestSchema = z.strictObject({
  checkpoint: checkpointSchema,
  way: z.enum(['llama', 'engine']),
  /** For an adapter: the model to run it on. */
  base_model_id: z.optional(z.string().check(maxCharacters(256))),
});

/** The query of `GET /api/v1/studio/runs/{runId}/gguf`. */
export const ggufQuerySchema = z.object({
  checkpoint: checkpointSchema,
  form: z._default(z.enum(GGUF_FORMS), 'saved').check(z.describe('One that the offer lists.')),
  base_model_id: z.optional(
    z
      .string()
      .check(
        maxCharacters(256),
        z.describe('Of an adapter: the model to run it on. Absent: the one that it is served on.'),
      ),
  ),
});

export const servedSchema = z.strictObject({ model_id: z.string() });

export type ServingOffer = z.infer<typeof servingOfferSchema>;
export type GgufQuery = z.infer<typeof ggufQuerySchema>;
export type ServingRequest = z.infer<typeof servingRequestSchema>;
