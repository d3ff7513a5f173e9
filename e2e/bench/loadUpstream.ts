// The OpenAI-compatible server of the load benchmark: each model that it lists answers as remoteChat.ts says.
// Arguments: the models.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerChat, sendJson, type RemoteChatRequest } from '../remoteChat.ts';

const models = process.argv.slice(2);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  if (request.method === 'GET') return sendJson(response, 200, { data: models.map((id) => ({ id })) });
  return answerChat(response, JSON.parse(Buffer.concat(parts).toString()) as RemoteChatRequest, { tokensPerSecond: 0 });
}

const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
