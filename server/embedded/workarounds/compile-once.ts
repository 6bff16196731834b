/**
 * V8 compiles PGlite's code twice: quickly when a function is first called, and again, optimised, when it has been used for a
 * while. The second time is not worth it here. PostgreSQL's parser alone takes 3 s of processor time and 600 MB for it, at
 * every start; a start takes twice the processor time; and statements of the product are not faster after it. Those that
 * compute much are: a search through 60,000 rows without an index takes 145 ms instead of 75. Waits for an option of one module
 * in place of flags of V8 for all.
 */
import { setFlagsFromString } from 'node:v8';

/** V8 derives the second and third from the first on a command line only. */
export const COMPILE_ONCE = ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/** Called before a database is opened. A Node that does not know a flag reports that, and goes on without it. */
export function compileOnce(): void {
  COMPILE_ONCE.forEach(setFlagsFromString);
}
