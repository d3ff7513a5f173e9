// `mcp`: serves a running studio to an assistant over standard input and output, until its end closes.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { openStudioRequests, readTokenFile } from '#app/server/client/studioRequests.ts';
import { openMcpStudio } from '#app/server/mcp/mcpServer.ts';
import type { StudioAddress } from './commands.ts';
import { readVersion } from './projectRoot.ts';

/** Standard output belongs to the protocol; `report` writes elsewhere. Throws an Error for people. */
export async function startMcp(
  { studio, tokenFile, warnings }: StudioAddress,
  report: (line: string) => void,
): Promise<void> {
  const ask = openStudioRequests(studio, await readTokenFile(tokenFile));
  const { open, rights } = await openMcpStudio(ask, readVersion());
  for (const warning of warnings) report(`Warning: ${warning}`);
  if (rights === 'own')
    report("Warning: this is the studio's own token. Make one for the assistant with “token add NAME [--read-only]”.");
  serveStdio(open, { onerror: (error) => report(error.message) });
  report(
    `The studio at ${studio.origin} is served to an assistant${rights === 'read' ? ', which may only read' : ''}.`,
  );
}
