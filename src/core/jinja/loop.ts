// The variable `loop` inside a `for`.
import { isEqual } from './comparing.ts';
import { lengthOf } from './iteration.ts';
import { TemplateError } from './templateError.ts';
import { Callable, Instance, Tuple, Undefined, type Run, type Value } from './values.ts';

/** A `for` that its body can look at. Reads one item ahead only when it is asked to. */
export class Loop {
  index0 = -1;
  readonly variable: Instance;
  private readonly iterator: Iterator<Value>;
  private length: number | null;
  private ahead: IteratorResult<Value> | null = null;
  private before: Value | undefined;
  private current: Value | undefined;
  private changed: Value | undefined;

  /**
   * `iterable`: what is iterated, for its length; null: it has none, such as a filtered one. `recurse`: renders the body
   * for other items; null: the loop is not recursive.
   */
  constructor(
    private readonly run: Run,
    items: Iterable<Value>,
    iterable: Value | null,
    private readonly depth0: number,
    recurse: ((items: Value, depth: number) => Value) | null,
  ) {
    this.iterator = items[Symbol.iterator]();
    this.length = iterable === null ? null : lengthOf(iterable);
    this.variable = new Instance(
      'LoopContext',
      (name) => this.read(name),
      (_run, args) => {
        const [inner] = args;
        if (recurse === null)
          throw new TemplateError("The loop must have the 'recursive' marker to be called recursively.");
        if (inner === undefined || args.length > 1) throw new TemplateError('loop() takes one argument');
        return recurse(inner, this.depth0 + 1);
      },
      () => this.rest(),
      () => `<LoopContext ${this.index0 + 1}/${this.getLength()}>`,
      () => this.getLength(),
    );
  }

  /** Moves to the next item; undefined: there is none. */
  next(): Value | undefined {
    const { value, done } = this.ahead ?? this.iterator.next();
    this.ahead = null;
    if (done === true) return undefined;
    this.index0 += 1;
    this.before = this.current;
    this.current = value;
    return value;
  }

  /** What a template gets that iterates `loop` itself: the items that are left, each with the loop. */
  private *rest(): Generator<Value> {
    for (let item = this.next(); item !== undefined; item = this.next()) yield new Tuple([item, this.variable]);
  }

  private peek(): IteratorResult<Value> {
    this.ahead ??= this.iterator.next();
    return this.ahead;
  }

  private getLength(): number {
    if (this.length !== null) return this.length;
    const rest: Value[] = [];
    if (this.ahead !== null && this.ahead.done !== true) rest.push(this.ahead.value);
    for (let next = this.iterator.next(); next.done !== true; next = this.iterator.next()) {
      this.run.spend(1);
      rest.push(next.value);
    }
    this.length = rest.length + this.index0 + 1;
    const others = rest[Symbol.iterator]();
    this.iterator.next = () => others.next();
    this.ahead = null;
    return this.length;
  }

  private read(name: string): Value | undefined {
    switch (name) {
      case 'index':
        return this.index0 + 1;
      case 'index0':
        return this.index0;
      case 'first':
        return this.index0 === 0;
      case 'last':
        return this.peek().done === true;
      case 'length':
        return this.getLength();
      case 'revindex':
        return this.getLength() - this.index0;
      case 'revindex0':
        return this.getLength() - this.index0 - 1;
      case 'depth':
        return this.depth0 + 1;
      case 'depth0':
        return this.depth0;
      case 'previtem':
        return this.index0 === 0 || this.before === undefined
          ? new Undefined('there is no previous item')
          : this.before;
      case 'nextitem': {
        const next = this.peek();
        return next.done === true ? new Undefined('there is no next item') : next.value;
      }
      case 'cycle':
        return new Callable(name, (_run, items) => {
          if (items.length === 0) throw new TemplateError('no items for cycling given');
          return items[this.index0 % items.length] ?? null;
        });
      case 'changed':
        return new Callable(name, (run, items) => {
          const value = new Tuple(items);
          const isChanged = this.changed === undefined || !isEqual(run, this.changed, value);
          this.changed = value;
          return isChanged;
        });
      default:
        return undefined;
    }
  }
}
