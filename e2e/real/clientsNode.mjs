// The clients of Node, as clients.py: URL TOKEN FOLDER, where FOLDER has the packages.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , url, token, folder] = process.argv;
const require = createRequire(join(folder, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const baseURL = `${url}/api/v1`;
const model = 'support-base';
const parts = [
  { type: 'text', text: 'Hello,' },
  { type: 'text', text: 'where is my order?' },
];

async function row(name, work) {
  try {
    await work();
    process.stdout.write(`ok node: ${name}\n`);
  } catch (error) {
    process.stdout.write(`FAIL node: ${name}: ${String(error).slice(0, 300)}\n`);
  }
}

function check(isRight, what) {
  if (!isRight) throw new Error(what);
}

await row('openai: models, parts, stream, completions, responses', async () => {
  const { default: OpenAI } = await load('openai');
  const client = new OpenAI({ apiKey: token, baseURL });
  check((await client.models.retrieve(model)).id === model, 'the model');
  const messages = [{ role: 'user', content: parts }];
  const answer = await client.chat.completions.create({ model, messages, max_tokens: 4 });
  check(answer.usage.completion_tokens <= 4, 'max_tokens');
  const stream = await client.chat.completions.create({ model, messages, max_tokens: 4, stream: true });
  let count = 0;
  for await (const _ of stream) count += 1;
  check(count > 1, 'the stream');
  const text = await client.completions.create({ model, prompt: 'Hello', echo: true, logprobs: 1, max_tokens: 2 });
  check(text.choices[0].logprobs.tokens.length > 1, 'logprobs');
  check((await client.responses.create({ model, input: 'Hello' })).output_text !== '', 'the response');
});

await row('ai with @ai-sdk/openai-compatible: two text parts, stream, maxOutputTokens, completion model', async () => {
  const { generateText, streamText } = await load('ai');
  const { createOpenAICompatible } = await load('@ai-sdk/openai-compatible');
  const studio = createOpenAICompatible({ name: 'studio', baseURL, apiKey: token, includeUsage: true });
  const messages = [{ role: 'user', content: parts }];
  const answer = await generateText({ model: studio(model), messages, maxOutputTokens: 4 });
  check(answer.usage.outputTokens <= 4, 'maxOutputTokens');
  const streamed = streamText({ model: studio(model), messages, maxOutputTokens: 4 });
  check((await streamed.text) !== undefined && (await streamed.usage).totalTokens > 0, 'the stream');
  const text = await generateText({ model: studio.completionModel(model), prompt: 'Hello', maxOutputTokens: 4 });
  check(text.finishReason !== undefined, 'the completion');
});

await row('promptfoo: openai:chat, openai:completion, openai:responses', async () => {
  const { default: promptfoo } = await load('promptfoo');
  const config = { apiBaseUrl: baseURL, apiKey: token, max_tokens: 8, temperature: 0 };
  const providers = ['chat', 'completion', 'responses'].map((kind) => ({ id: `openai:${kind}:${model}`, config }));
  const tests = [{ vars: { what: 'your order' }, assert: [{ type: 'javascript', value: 'output.length > 0' }] }];
  const suite = { prompts: ['Please send us {{what}}'], providers, tests, writeLatestResults: false };
  const { results } = await (
    await promptfoo.evaluate(suite, { cache: false, showProgressBar: false })
  ).toEvaluateSummary();
  check(results.length === 3, 'three answers');
  for (const { success, error, provider } of results) check(success, `${provider.id}: ${error}`);
});
