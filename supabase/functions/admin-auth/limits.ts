import type { Client } from '../_shared/client-ip.ts';
import type { Credentials } from '../_shared/contract/sign-in.ts';
import { accountOf, type Limit, limitOf, limitsOfSender } from '../_shared/rate-limits.ts';
import type { Settings } from '../_shared/settings.ts';
import { deviceOf } from './device-token.ts';

/**
 * The limits of an attempt: those of its sender, or those of a device that signed in before. None counts the account
 * alone, so that an attacker cannot lock it.
 */
export function limitsOf(
  settings: Settings,
  { email, device }: Credentials,
  client: Client,
): { isKnownDevice: boolean; limits: readonly Limit[] } {
  const account = accountOf(email);
  // An invalid or expired device token is the same as none.
  const deviceId = device === undefined ? undefined : deviceOf(settings, email, device);
  if (deviceId === undefined) {
    const accountAndNetwork = `${account}\n${client.network}`;
    return {
      isKnownDevice: false,
      limits: [
        ...limitsOfSender(settings, 'sign-in', client),
        limitOf(settings, 'sign-in.account-and-network', accountAndNetwork),
      ],
    };
  }
  return {
    isKnownDevice: true,
    limits: [
      limitOf(settings, 'sign-in.device', deviceId),
      limitOf(settings, 'sign-in.devices-of-account', account),
    ],
  };
}
