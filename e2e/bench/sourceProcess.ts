// The upstream of the gateway benchmark: streams of chunks made beforehand, so that it costs as little as it can.
// The model `stream:<tokens>:0` says how many; 32 chunks a write.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PER_WRITE = 32;
const CHUNK = `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta: { content: ' token' }, finish_reason: null }] })}\n\n`;
const BLOCK = Buffer.from(CHUNK.repeat(PER_WRITE));
const ONE = Buffer.from(CHUNK);
const END = 'data: [DONE]\n\n';

function send(response: ServerResponse, tokens: number): void {
  let left = tokens;
  const more = (): void => {
    while (left > 0) {
      const isBlock = left >= PER_WRITE;
      left -= isBlock ? PER_WRITE : 1;
      if (!response.write(isBlock ? BLOCK : ONE)) return void response.once('drain', more);
    }
    response.end(END);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  more();
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => (body += part.toString()));
  request.on('end', () => send(response, Number(/stream:(\d+):/.exec(body)?.[1] ?? 1)));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
