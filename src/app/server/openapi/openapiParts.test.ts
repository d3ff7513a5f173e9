import { describe, expect, it } from 'vitest';
import { answer, anyName, failures, json, pathParam, ref } from './openapiParts.ts';
import { UUID } from '#core/contract/uuid.ts';

describe('parts of operations', () => {
  it('refer to a schema by its name', () => {
    expect(ref('Run')).toEqual({ $ref: '#/components/schemas/Run' });
    expect(json('Run')).toEqual({ 'application/json': { schema: ref('Run') } });
    expect(answer('The run.', 'Run')).toEqual({ description: 'The run.', content: json('Run') });
  });

  it('say why an operation fails, with the form of an error', () => {
    const failed = failures(404, 422);
    expect(Object.keys(failed)).toEqual(['404', '422']);
    expect(failed['404']).toEqual(answer('There is nothing of this id.', 'Error'));
    expect(failures()).toEqual({});
  });

  it('have words for each status that an operation names', () => {
    for (const status of [400, 401, 404, 409, 413, 415, 422, 429, 502, 503, 504]) {
      expect(failures(status)[String(status)]).not.toMatchObject({ description: 'Failure.' });
    }
  });

  it('tell ids of ours from names', () => {
    const id = pathParam('runId', 'UUID of the run.');
    expect(id).toEqual({
      name: 'runId',
      in: 'path',
      required: true,
      description: 'UUID of the run.',
      schema: { type: 'string', format: 'uuid', pattern: UUID.source },
    });
    expect(pathParam('modelId', 'Id of the model.', anyName)).toMatchObject({
      schema: { type: 'string', minLength: 1 },
    });
  });
});
