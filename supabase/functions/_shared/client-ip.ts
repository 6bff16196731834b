import { bareIp, type Sender, senderOf } from './contract/ip-networks.ts';
import type { Settings } from './settings.ts';

export interface Client extends Sender {
  /** The whole IP, for other services; undefined if it is unknown. */
  readonly address: string | undefined;
}

/** Reads the client's IP from the header that the server in front of the functions sets. */
export function readClient(request: Request, settings: Settings): Client {
  const address = bareIp(request.headers.get(settings.ipHeader) ?? '') || undefined;
  return { address, ...senderOf(address) };
}
