// What the local backend says of an engine that goes away, over a real HTTP server.
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openBoundedEngine } from '#engine/boundedEngine.ts';
import { QueueBounds } from '#engine/queueBounds.ts';
import { openRegistry } from '#engine/registry.ts';
import { openUpstreamEngine } from '#engine/upstream/upstreamEngine.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';
import { openTestEngine } from '#service/http/testEngine.fixture.ts';
import { checkReadiness } from './localBackend.ts';
import { atEnd, listen } from '#service/files/keep.fixture.ts';

const database = { checkDatabase: async () => undefined };

describe('checkReadiness', () => {
  it('says that an engine is gone, though its models are still listed beside the local ones', async () => {
    let isDown = false;
    const remote = createServer((incoming, outgoing) => {
      if (isDown) incoming.socket.destroy();
      else outgoing.setHeader('content-type', 'application/json').end('{"data":[{"id":"far/model"}]}');
    });
    const upstream = openUpstreamEngine({ baseUrl: `${await listen(remote)}/v1`, apiKey: null });
    const engine = openRegistry([openTestEngine(), openBoundedEngine(upstream, { bounds: new QueueBounds() })]);
    atEnd(() => engine.close());
    expect(await checkReadiness(database, engine)).toEqual({ database: 'ok', engine: 'ok' });
    isDown = true;
    expect(await checkReadiness(database, engine)).toEqual({ database: 'ok', engine: 'failed' });
    expect((await engine.listModels()).map(({ id }) => id)).toContain('far/model');
  });

  it('says that the database is away', async () => {
    const away = {
      checkDatabase: async () => {
        throw new DatabaseUnavailable('away');
      },
    };
    expect(await checkReadiness(away, openTestEngine())).toEqual({ database: 'failed', engine: 'ok' });
  });
});
