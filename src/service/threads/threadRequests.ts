// Questions to a thread or process, and their answers in any order.
import type { Isolated, IsolatedEnd } from './isolated.ts';
import type { IsolatedSide } from './isolatedSide.ts';

/** What can be asked. Arguments and answers are copied, but for memory that moves (`moving`). */
type Core<Self> = { readonly [Name in keyof Self]: (...given: never[]) => Promise<unknown> };

export interface Question {
  readonly number: number;
  readonly method: PropertyKey;
  readonly given: readonly unknown[];
}

export type Reply =
  | { readonly number: number; readonly value: unknown }
  /** The fields of a refusal. */
  | { readonly number: number; readonly refusal: { readonly message: string } }
  /** A defect, for the log only. */
  | { readonly number: number; readonly stack: string };

/** Errors that are answers, and reach who asked as they were thrown: fields and all. */
type Refusal = abstract new (...given: never[]) => Error;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Of one thread or process. It keeps the service's process running only while a question waits. */
export interface Asks<Self extends Core<Self>> {
  readonly isolated: Isolated<Question>;
  /** Rejects with a refusal, with an Error for a defect, and with `toError` when the thread or process has ended. */
  ask<Method extends keyof Self>(
    method: Method,
    ...given: Parameters<Self[Method]>
  ): Promise<Awaited<ReturnType<Self[Method]>>>;
}

export interface AsksOptions {
  /** The error of questions that get no answer any more. */
  readonly toError?: (end: IsolatedEnd) => Error;
  readonly refusal?: Refusal;
  /** Called once, before any question is rejected for it. */
  readonly onEnd?: (end: IsolatedEnd) => void;
}

const memoryOf = new WeakMap<object, readonly ArrayBuffer[]>();

/** An argument or answer whose memory moves to the other thread. */
export function moving<Value extends object>(value: Value, memory: readonly ArrayBuffer[]): Value {
  memoryOf.set(value, memory);
  return value;
}

const toMemory = (value: unknown): readonly ArrayBuffer[] => memoryOf.get(value as object) ?? [];

/** `open`: opens a thread or process with what it calls for each reply. */
export function openAsks<Self extends Core<Self>>(
  open: (onReply: (reply: Reply) => void) => Isolated<Question>,
  { toError = ({ error }) => error ?? new Error('It has ended.'), refusal, onEnd }: AsksOptions = {},
): Asks<Self> {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let end: IsolatedEnd | null = null;
  const isolated = open((reply) => {
    const asked = waiting.get(reply.number);
    if (waiting.delete(reply.number)) isolated.hold(false);
    if ('value' in reply) asked?.resolve(reply.value);
    else if ('stack' in reply) asked?.reject(new Error(reply.stack));
    else {
      const error = Object.assign(new Error(reply.refusal.message), reply.refusal);
      asked?.reject(Object.setPrototypeOf(error, (refusal ?? Error).prototype as object) as Error);
    }
  });
  isolated.hold(false);
  void isolated.ended.then(finish);
  function finish(given: IsolatedEnd): void {
    end = given;
    onEnd?.(given);
    for (const { reject } of waiting.values()) reject(toError(given));
    waiting.clear();
  }
  return {
    isolated,
    ask(method, ...given) {
      last += 1;
      const number = last;
      return new Promise((resolve, reject) => {
        if (end !== null) return reject(toError(end));
        isolated.post({ number, method, given }, given.flatMap(toMemory));
        waiting.set(number, { resolve: resolve as Waiting['resolve'], reject });
        return isolated.hold(true);
      });
    },
  };
}

/** The inner side: answers questions, many at a time. `refusal`: what the core throws as an answer. */
export function answerAsks<Self extends Core<Self>>(
  { receive, post }: Pick<IsolatedSide<Question, Reply>, 'receive' | 'post'>,
  core: Self,
  refusal?: Refusal,
): void {
  async function answer({ number, method, given }: Question): Promise<void> {
    try {
      const value = await core[method as keyof Self](...(given as never[]));
      post({ number, value }, toMemory(value));
    } catch (error) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (!refusal || !(error instanceof refusal)) return post({ number, stack });
      try {
        post({ number, refusal: { ...error, message: error.message } });
      } catch {
        // It has fields that can't be copied.
        post({ number, stack });
      }
    }
  }
  receive((question) => void answer(question));
}
