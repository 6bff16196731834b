/** `order-submit`: accepts an offer. Wiring only; see handler.ts. */
import process from 'node:process';
import { createContext } from '../_shared/context.ts';
import { readSettings } from '../_shared/settings.ts';
import { serveOrderSubmit } from './serve.ts';

export default serveOrderSubmit(createContext(readSettings(process.env)));
