// The process that holds models: llama.cpp may end it, and nothing else ends with it.
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks, type Question } from '#service/threads/threadRequests.ts';
import { openLlamaRuntime } from '#engine/llamaRuntime.ts';
import { openHost } from './hostCore.ts';
import type { FromHost, ToHost } from './hostMessages.ts';

const side = openSide<ToHost, FromHost>();
const host = openHost(openLlamaRuntime, side.post);

function receive(listener: (question: Question) => void): void {
  side.receive((message) => {
    if ('method' in message) listener(message);
    else if ('begin' in message) host.begin(message.begin, message.order);
    else if ('read' in message) host.read(message.read, message.events);
    else host.leave(message.leave);
  });
}

answerAsks({ receive, post: side.post }, host.core);
