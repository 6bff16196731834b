/** `admin-auth`: signs the administrator in, and enrols a second factor. Wiring only; see handler.ts and factor.ts. */
import process from 'node:process';
import { createContext } from '../_shared/context.ts';
import { readSettings } from '../_shared/settings.ts';
import { serveAdminAuth } from './serve.ts';

export default serveAdminAuth(createContext(readSettings(process.env)));
