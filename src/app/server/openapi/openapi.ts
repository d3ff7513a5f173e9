// The OpenAPI 3.1 document of the service, made from the records of its endpoints (SPEC 2 to 8).
// Only the service loads it: the schema converter is large, and the browser doesn't need it.
import { DEFAULT_PORT } from '#app/server/defaultPort.ts';
import { ENDPOINTS } from './endpoints.ts';
import { toComponents } from './openapiComponents.ts';
import { toOperation, type Json } from './openapiOperation.ts';

function toPaths(): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of ENDPOINTS)
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: toOperation(endpoint) };
  return paths;
}

/** The document that `GET /api/v1/openapi.json` serves. */
export function toOpenApi(version: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Model Studio',
      version,
      description:
        'Projects as trees, recommendations for snapshots, chat with fine-tuned models. Send `Authorization: ' +
        'Bearer <token>` with the token of the link that the studio printed at start.',
    },
    servers: [{ url: '/', description: 'This studio' }],
    tags: [
      { name: 'Projects' },
      { name: 'Recommendations' },
      { name: 'Data' },
      { name: 'Training' },
      { name: 'Traces' },
      { name: 'Workers' },
      { name: 'Runs' },
      { name: 'Evaluation' },
      { name: 'Chat' },
      { name: 'Session' },
      { name: 'Service' },
    ],
    security: [{ bearer: [] }, { cookie: [] }],
    paths: toPaths(),
    components: {
      schemas: toComponents(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: `studio_${DEFAULT_PORT}`,
          description:
            'Set by signing in; its name ends with the port. Under a public https address it is `__Host-studio`.',
        },
      },
    },
  };
}
