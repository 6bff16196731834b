/** `deliver`: sends the messages that are due. Wiring only; see handler.ts. */
import process from 'node:process';
import { createContext } from '../_shared/context.ts';
import { readSettings } from '../_shared/settings.ts';
import { serveDeliver } from './serve.ts';

export default serveDeliver(createContext(readSettings(process.env)));
