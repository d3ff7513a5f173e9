// The part of the browser's locks that tabs need, made of messages between tabs: for pages on plain HTTP, which have no
// locks. A tab that does not answer in time may hold a lock after all; when that comes out, the later one gives way.

/** A tab that is busy for longer is found out later. */
const ANSWER_MS = 150;
const MAX_ASKS = 4;

type Hold = (lock: Lock | null) => Promise<void> | undefined;

/** What TabClaims needs of `navigator.locks`. */
export interface TabLocks {
  request(name: string, options: LockOptions, hold: Hold): Promise<unknown>;
  query(): Promise<LockManagerSnapshot>;
}

type Message =
  /** Which locks does each tab hold? */
  | { readonly kind: 'who'; readonly from: string }
  | { readonly kind: 'ask'; readonly from: string; readonly name: string }
  | { readonly kind: 'have'; readonly to: string; readonly name: string };

/** A BroadcastChannel, as far as it is used. */
export interface Channel {
  send(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

interface Held {
  /** False while this tab still asks the others. */
  isGranted: boolean;
}

export class ChannelLocks implements TabLocks {
  private readonly held = new Map<string, Held>();
  private readonly heard = new Set<string>();

  /** `self`: an id of this tab's page. `onLost`: another tab had the lock before; what it stands for must be left. */
  constructor(
    private readonly channel: Channel,
    private readonly self: string,
    private readonly onLost: (name: string) => void,
  ) {
    channel.addEventListener('message', ({ data }) => this.take(data as Message));
  }

  readonly request = async (name: string, { signal }: LockOptions, hold: Hold): Promise<unknown> => {
    if (this.held.has(name)) return hold(null);
    // Whoever waits does so for a page before a reload, which may answer a moment longer.
    for (let left = signal ? MAX_ASKS : 1; !(await this.ask(name)); left -= 1) if (left <= 1) return hold(null);
    try {
      return await hold({ name, mode: 'exclusive' });
    } finally {
      this.held.delete(name);
    }
  };

  /** Those of other tabs, and this one's. */
  readonly query = async (): Promise<LockManagerSnapshot> => {
    this.heard.clear();
    this.post({ kind: 'who', from: this.self });
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    return { held: [...new Set([...this.heard, ...this.held.keys()])].map((name) => ({ name })) };
  };

  /** Asks again for all that this tab holds: it may have been frozen while another tab asked. */
  askAgain(): void {
    for (const [name, { isGranted }] of this.held) if (isGranted) this.post({ kind: 'ask', from: this.self, name });
  }

  private post(message: Message): void {
    this.channel.send(message);
  }

  private async ask(name: string): Promise<boolean> {
    const mine: Held = { isGranted: false };
    this.held.set(name, mine);
    this.post({ kind: 'ask', from: this.self, name });
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    if (this.held.get(name) !== mine) return false;
    mine.isGranted = true;
    return true;
  }

  private take(message: Message): void {
    if (message.kind === 'who') {
      for (const [name, { isGranted }] of this.held) if (isGranted) this.post({ kind: 'have', to: message.from, name });
      return;
    }
    const mine = this.held.get(message.name);
    if (message.kind === 'ask') {
      // Of two that ask at once, the one whose id comes first has it.
      if (mine && (mine.isGranted || this.self < message.from))
        this.post({ kind: 'have', to: message.from, name: message.name });
      return;
    }
    if (message.to !== this.self) return;
    this.heard.add(message.name);
    if (!mine) return;
    this.held.delete(message.name);
    if (mine.isGranted) this.onLost(message.name);
  }
}
