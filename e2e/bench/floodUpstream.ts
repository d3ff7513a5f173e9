// The remote studio of the flood benchmark: chat as fast as the reader takes it, all else from the studio that it
// stands before, so that the page has a real project. Arguments: that studio's origin and its token.
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseChatRequest } from '#core/contract/chatRequest.ts';
import { answerChat, sendJson } from '../remoteChat.ts';

const [origin = '', token = ''] = process.argv.slice(2);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const parsed = parseChatRequest(JSON.parse(Buffer.concat(parts).toString()));
  if (!parsed.ok) return sendJson(response, 400, { error: parsed.problem.message });
  const { model, messages } = parsed.value;
  return answerChat(response, { model, stream: true, messages }, { tokensPerSecond: 0 });
}

function passOn(request: IncomingMessage, response: ServerResponse): void {
  const headers = { ...request.headers, host: new URL(origin).host, authorization: `Bearer ${token}` };
  const outgoing = httpRequest(`${origin}${request.url ?? '/'}`, { method: request.method, headers }, (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.headers);
    incoming.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  request.pipe(outgoing);
}

const server = createServer((request, response) => {
  const isChat = request.method === 'POST' && request.url === '/api/v1/chat/completions';
  if (isChat) answer(request, response).catch(() => response.destroy());
  else passOn(request, response);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
