// What our service sends and takes about saved weights is accepted to the last field, and nothing else is.
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ggufQuerySchema, servedSchema, servingOfferSchema, servingRequestSchema } from './serving.ts';

const llama = {
  way: 'llama',
  title: 'llama.cpp of this studio',
  reason: null,
  bases: [{ id: 'qwen3-0.6b', has_fitting_name: true, reason: null, notes: [] }],
};
const command = { way: 'command', title: 'vLLM', reason: null, command: 'vllm serve .' };
const file = { form: 'q8_0', type: 'Q8_0', name: 'lr1-500.Q8_0.gguf', bytes: 1024 };
const offer = { checkpoint: 'lr1/checkpoint-500', model_id: null, files: [file], ways: [llama, command] };

describe('serving on the wire', () => {
  it.each<[string, z.ZodMiniType, unknown]>([
    ['ways of an adapter', servingOfferSchema, offer],
    ['weights that are served', servingOfferSchema, { ...offer, model_id: 'lr1-500' }],
    ['weights that nothing can serve', servingOfferSchema, { ...offer, files: [], ways: [] }],
    ['a file whose size is not known', servingOfferSchema, { ...offer, files: [{ ...file, bytes: null }] }],
    ['a question for a file', ggufQuerySchema, { checkpoint: 'a', form: 'q8_0', base_model_id: 'b' }],
    ['a question for a file as it was saved', ggufQuerySchema, { checkpoint: '' }],
    ['a way that is closed', servingOfferSchema, { ...offer, ways: [{ ...llama, reason: 'No base. Add one.' }] }],
    ['a request for an adapter', servingRequestSchema, { checkpoint: 'a', way: 'llama', base_model_id: 'b' }],
    ['a request for a run’s own folder', servingRequestSchema, { checkpoint: '', way: 'engine' }],
    ['the model that answers', servedSchema, { model_id: 'lr1-500' }],
  ])('%s is accepted', (_what, schema, value) => expect(schema.safeParse(value).error).toBeUndefined());

  it.each<[string, z.ZodMiniType, unknown]>([
    ['another way', servingOfferSchema, { ...offer, ways: [{ ...llama, way: 'cloud' }] }],
    ['a way without a reason or null', servingOfferSchema, { ...offer, ways: [{ way: 'llama', title: 'x' }] }],
    [
      'a base without what is known of it',
      servingOfferSchema,
      { ...offer, ways: [{ ...llama, bases: [{ id: 'a', has_fitting_name: true }] }] },
    ],
    ['a file of another form', servingOfferSchema, { ...offer, files: [{ ...file, form: 'q2' }] }],
    ['a question for a file of another form', ggufQuerySchema, { checkpoint: 'a', form: 'q2' }],
    ['a further field', servingOfferSchema, { ...offer, root: '/data' }],
    ['a request to run a command', servingRequestSchema, { checkpoint: 'a', way: 'command' }],
    ['a request without a checkpoint', servingRequestSchema, { way: 'llama' }],
    ['a path beyond all bounds', servingRequestSchema, { checkpoint: 'x'.repeat(4097), way: 'llama' }],
    [
      'a base beyond all bounds',
      servingRequestSchema,
      { checkpoint: 'a', way: 'llama', base_model_id: 'x'.repeat(257) },
    ],
    ['no model', servedSchema, { model_id: null }],
  ])('%s is refused', (_what, schema, value) => expect(schema.safeParse(value).success).toBe(false));
});
