// An own evaluator: it scores how polite answers are. Start both with
//   STUDIO_EVALUATOR_TOKEN=secret npx tsx e2e/evaluator/politeness.ts
//   STUDIO_EVALUATOR_TOKEN=secret npm start -- --evaluator politeness=http://127.0.0.1:9000
// and choose "politeness" in an evaluation.
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';

const POLITE = ['please', 'thank', 'sorry', 'happy to'];

/** The row is in `datapoint.messages`, the model in `model_name`. */
function score({ prediction }: { readonly prediction: string }) {
  const found = POLITE.filter((word) => prediction.toLowerCase().includes(word));
  return {
    score: Math.min(1, found.length / 2),
    reason: found.length === 0 ? 'No polite word.' : `It says ${found.join(', ')}.`,
  };
}

export const openEvaluator = (token: string): Server =>
  createServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${token}`) return answer(401, { error: 'The token is not right.' });
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    return answer(200, score(JSON.parse(Buffer.concat(parts).toString()) as { prediction: string }));
  });

if (process.argv[1] === fileURLToPath(import.meta.url))
  openEvaluator(process.env['STUDIO_EVALUATOR_TOKEN'] ?? '').listen(9000, '127.0.0.1');
