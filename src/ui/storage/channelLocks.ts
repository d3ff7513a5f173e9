// Replaces the browser's locks with messages between tabs, for pages on plain HTTP, which have no locks. A tab that
// answers too late may still hold a lock; once that is known, the later tab gives the lock up.

/** A tab that is busy for longer answers too late. */
const ANSWER_MS = 150;
const MAX_ASKS = 4;

type Hold = (lock: Lock | null) => Promise<void> | undefined;

/** The part of `navigator.locks` that TabClaims needs. */
export interface TabLocks {
  request(name: string, options: LockOptions, hold: Hold): Promise<unknown>;
  query(): Promise<LockManagerSnapshot>;
}

type Message =
  /** Asks each tab for the locks that it holds. */
  | { readonly kind: 'who'; readonly from: string }
  | { readonly kind: 'ask'; readonly from: string; readonly name: string }
  | { readonly kind: 'have'; readonly to: string; readonly name: string };

/** The part of a BroadcastChannel that is used. */
export interface Channel {
  send(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

interface HeldLock {
  /** False while this tab still asks the others. */
  isGranted: boolean;
}

export class ChannelLocks implements TabLocks {
  private readonly held = new Map<string, HeldLock>();
  private readonly reported = new Set<string>();

  /** `self`: an id of this tab's page. `onLost`: another tab already had the lock, so this tab must stop using it. */
  constructor(
    private readonly channel: Channel,
    private readonly self: string,
    private readonly onLost: (name: string) => void,
  ) {
    channel.addEventListener('message', ({ data }) => this.onMessage(data as Message));
  }

  readonly request = async (name: string, { signal }: LockOptions, hold: Hold): Promise<unknown> => {
    if (this.held.has(name)) return hold(null);
    // A request with a signal waits for the previous page of a reload, which may hold its lock a moment longer.
    for (let attempts = signal ? MAX_ASKS : 1; !(await this.ask(name)); attempts -= 1)
      if (attempts <= 1) return hold(null);
    try {
      return await hold({ name, mode: 'exclusive' });
    } finally {
      this.held.delete(name);
    }
  };

  /** Locks of all tabs, including this one. */
  readonly query = async (): Promise<LockManagerSnapshot> => {
    this.reported.clear();
    this.post({ kind: 'who', from: this.self });
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    return { held: [...new Set([...this.reported, ...this.held.keys()])].map((name) => ({ name })) };
  };

  /** Asks again for every lock of this tab, which may have been frozen while another tab asked. */
  askAgain(): void {
    for (const [name, { isGranted }] of this.held) if (isGranted) this.post({ kind: 'ask', from: this.self, name });
  }

  private post(message: Message): void {
    this.channel.send(message);
  }

  private async ask(name: string): Promise<boolean> {
    const ownLock: HeldLock = { isGranted: false };
    this.held.set(name, ownLock);
    this.post({ kind: 'ask', from: this.self, name });
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    if (this.held.get(name) !== ownLock) return false;
    ownLock.isGranted = true;
    return true;
  }

  private onMessage(message: Message): void {
    if (message.kind === 'who') {
      for (const [name, { isGranted }] of this.held) if (isGranted) this.post({ kind: 'have', to: message.from, name });
      return;
    }
    const ownLock = this.held.get(message.name);
    if (message.kind === 'ask') {
      // If two tabs ask at once, the lower id gets the lock.
      if (ownLock && (ownLock.isGranted || this.self < message.from))
        this.post({ kind: 'have', to: message.from, name: message.name });
      return;
    }
    if (message.to !== this.self) return;
    this.reported.add(message.name);
    if (!ownLock) return;
    this.held.delete(message.name);
    if (ownLock.isGranted) this.onLost(message.name);
  }
}
