import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The secret keys of one data folder. */
export interface DataKeys {
  readonly jwtSecret: string;
  readonly secretKey: string;
}

export function dataKeys(dataDir: string): DataKeys {
  return JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as DataKeys;
}
