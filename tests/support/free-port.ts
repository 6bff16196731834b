import { once } from 'node:events';
import { createServer } from 'node:http';

/** Below the ports that the system gives to connections and to servers without a port of their own (on Linux from 32768 on). */
const [FIRST, LAST] = [20_000, 32_000];

/** A port that is free, and that no other test is given before a product uses it, or comes back to it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
