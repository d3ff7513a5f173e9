// A studio as a server of the Model Context Protocol: an assistant asks it by tools.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { JsonObject } from '#core/contract/readJson.ts';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import { StudioRefusal, type AskStudio } from '#app/server/client/studioRequests.ts';
import { toBoundedJson } from './boundedJson.ts';
import { toStudioTools } from './studioTools.ts';

/** Characters of an answer to an assistant. */
const MAX_ANSWER = 60_000;

const INSTRUCTIONS =
  'A studio for fine-tuning models. A project is a tree: datasets, their snapshots, fine-tuning jobs, experiments. Begin with ' +
  'list_projects, then get_project. Ids are UUIDs of nodes. An answer that is too long ends in a note of what was left out: ask ' +
  'for a part of it.';

export interface McpStudio {
  /** Makes one server for each connection. */
  readonly open: () => McpServer;
  readonly rights: 'read' | 'write' | 'own';
}

/**
 * Asks the studio who the token is of, and offers what it may do. Throws what `ask` throws: a token that the studio does not
 * know is refused here.
 */
export async function openMcpStudio(ask: AskStudio, version: string): Promise<McpStudio> {
  const { rights } = await ask(STUDIO.getSession);
  const tools = toStudioTools(rights);
  return {
    rights,
    open() {
      const server = new McpServer({ name: 'model-studio', version }, { instructions: INSTRUCTIONS });
      for (const { name, title, description, isReading, schema, endpoint, toSent, toResult } of tools)
        server.registerTool(
          name,
          {
            title,
            description,
            inputSchema: fromJsonSchema<JsonObject>(schema),
            annotations: { readOnlyHint: isReading, destructiveHint: false, openWorldHint: false },
          },
          async (given, { mcpReq: { signal } }) => {
            try {
              const result = toResult(await ask(endpoint, toSent(given), signal), given);
              return { content: [{ type: 'text' as const, text: toBoundedJson(result, MAX_ANSWER) }] };
            } catch (error) {
              const message = error instanceof Error ? error.message : String(error);
              const text = error instanceof StudioRefusal && error.status > 0 ? `${error.status}: ${message}` : message;
              return { isError: true, content: [{ type: 'text' as const, text }] };
            }
          },
        );
      return server;
    },
  };
}
