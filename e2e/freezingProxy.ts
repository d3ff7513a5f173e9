// A way to a server that can fall silent, as a network does: connections stay, and nothing goes through them.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface FreezingProxy {
  readonly port: number;
  freeze(): void;
  /** What was sent meanwhile arrives late. */
  thaw(): void;
  close(): Promise<void>;
}

export async function openFreezingProxy(target: number): Promise<FreezingProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    if (isFrozen) from.pause();
    from
      .on('data', (bytes) => void to.write(bytes))
      .on('end', () => to.end())
      .on('error', () => to.destroy())
      .on('close', () => sockets.delete(from));
    if (isFrozen) from.pause();
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    pass(near, far);
    pass(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
