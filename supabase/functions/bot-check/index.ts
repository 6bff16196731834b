/** `bot-check`: issues the challenges of the proof of work. Wiring only; see handler.ts. */
import process from 'node:process';
import { createContext } from '../_shared/context.ts';
import { readSettings } from '../_shared/settings.ts';
import { serveBotCheck } from './serve.ts';

export default serveBotCheck(createContext(readSettings(process.env)));
