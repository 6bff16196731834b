/** `negotiation`: takes the moves of owner and buyer. Wiring only; see handler.ts. */
import process from 'node:process';
import { createContext } from '../_shared/context.ts';
import { readSettings } from '../_shared/settings.ts';
import { serveNegotiation } from './serve.ts';

export default serveNegotiation(createContext(readSettings(process.env)));
