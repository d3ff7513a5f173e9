// Questions to a thread or process, and their answers in any order.
import type { Apart } from './apart.ts';
import type { ApartSide } from './apartSide.ts';

/** What can be asked. Arguments and answers are copied. */
type Core<Self> = { readonly [Name in keyof Self]: (...given: never[]) => Promise<unknown> };

export interface Question {
  readonly number: number;
  readonly method: PropertyKey;
  readonly given: readonly unknown[];
}

/** `stack`: a defect, for the log only. */
export type Reply =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly stack: string };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Of one thread or process. */
export interface Asks<Self extends Core<Self>> {
  /** Rejects with an Error for a defect, and with the error of `endAll`. */
  ask<Method extends keyof Self>(
    method: Method,
    ...given: Parameters<Self[Method]>
  ): Promise<Awaited<ReturnType<Self[Method]>>>;
  onReply(reply: Reply): void;
  /** No question that waits gets an answer any more. */
  endAll(error: Error): void;
}

export function openAsks<Self extends Core<Self>>(post: Apart<Question>['post']): Asks<Self> {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  return {
    ask(method, ...given) {
      last += 1;
      const number = last;
      return new Promise((resolve, reject) => {
        waiting.set(number, { resolve: resolve as Waiting['resolve'], reject });
        post({ number, method, given });
      });
    },
    onReply(reply) {
      const asked = waiting.get(reply.number);
      waiting.delete(reply.number);
      if ('value' in reply) asked?.resolve(reply.value);
      else asked?.reject(new Error(reply.stack));
    },
    endAll(error) {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  };
}

/** The inner side: what answers a question when it comes, many at a time. */
export function toAnswers<Self extends Core<Self>>(
  post: (reply: Reply) => void,
  core: Self,
): (question: Question) => void {
  const answer = async ({ number, method, given }: Question): Promise<Reply> => {
    try {
      const asked = core[method as keyof Self];
      return { number, value: await asked(...(given as never[])) };
    } catch (error) {
      return { number, stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  return (question) => void answer(question).then(post);
}

/** An inner side that does nothing but answer questions. */
export function answerAsks<Self extends Core<Self>>({ receive, post }: ApartSide<Question, Reply>, core: Self): void {
  receive(toAnswers(post, core));
}
