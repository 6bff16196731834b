import type { Client } from '../_shared/client-ip.ts';
import type { Credentials } from '../_shared/contract/sign-in.ts';
import { accountOf, type Limit, limitOf, limitsOfSender } from '../_shared/rate-limits.ts';
import type { Settings } from '../_shared/settings.ts';
import { deviceOf } from './device-token.ts';
import type { Lane } from './lanes.ts';
import type { Source } from './waiting-tasks.ts';

/** The limits that an attempt counts in, as `begin_sign_in` takes them. */
export interface AttemptLimits {
  readonly limits: readonly Limit[];
  readonly account_limits: readonly Limit[];
  /** The few attempts that remain to each ip while the account is past its own limit. */
  readonly harder_limits: readonly Limit[];
}

/** Chooses the lane of an attempt without a proof. `source`: what the attempt comes from, as its queue counts. */
export function chooseLane(
  settings: Settings,
  { email, device }: Credentials,
  client: Client | undefined,
): { lane: Lane; source: Source; limits: AttemptLimits } {
  const account = accountOf(email);
  // An invalid or expired device token is the same as none.
  const deviceId = device === undefined ? undefined : deviceOf(settings, email, device);
  if (deviceId !== undefined) {
    const limits = [
      limitOf(settings, 'sign-in.device', deviceId),
      limitOf(settings, 'sign-in.account-by-device', account),
    ];
    // All devices of an account are one source: a former administrator may have many tokens.
    return { lane: 'device', source: [account], limits: { limits, account_limits: [], harder_limits: [] } };
  }
  const pair = `${account}\n${client?.network ?? ''}`;
  return {
    lane: 'open',
    source: sourceOf(client),
    limits: {
      limits: [
        ...limitsOfSender(settings, 'sign-in', client),
        limitOf(settings, 'sign-in.account-and-address', pair),
      ],
      account_limits: [limitOf(settings, 'sign-in.account', account)],
      harder_limits: [limitOf(settings, 'sign-in.account-under-attack', pair)],
    },
  };
}

/** Returns the source of attempts without a device: the networks around an ip, and the ip. */
export function sourceOf(client: Client | undefined): Source {
  if (client === undefined) return [''];
  return [...client.widerNetworks.map(({ network }) => network).reverse(), client.network];
}

/** The limit of attempts with a proof of work. */
export function limitByProof(settings: Settings, email: string): Limit {
  return limitOf(settings, 'sign-in.account-by-proof', accountOf(email));
}

/** Leaves out the limits that count an ip alone. */
export function withoutIpLimits(counted: AttemptLimits): AttemptLimits {
  return {
    ...counted,
    limits: counted.limits.filter(({ bucket }) => bucket === 'sign-in.account-and-address'),
  };
}
