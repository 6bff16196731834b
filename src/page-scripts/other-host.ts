/**
 * With a hosted project: on a host that its functions do not know, shows that offers are made on the domains, and links to
 * those of the page (components/Notices.astro). The page names the hosts that it is mostly opened on; on others the list of
 * all is fetched.
 */
import { isOwnHost } from '#contract/hosts.ts';

async function showOnOtherHost(): Promise<void> {
  const notice = document.querySelector<HTMLElement>('#other-host');
  if (!notice || isKnown(notice.dataset.hosts?.split(' ') ?? [])) return;
  if (isKnown(await fetch('/domains/hosts.json').then((response) => response.json()))) return;
  for (const { value, dataset } of document.querySelectorAll<HTMLInputElement>('.cards input')) {
    const link = document.createElement('a');
    link.href = `https://${value}${notice.dataset.path}`;
    link.textContent = dataset.shown ?? value;
    notice.append(' ', link);
  }
  notice.hidden = false;
}

function isKnown(hosts: string[]): boolean {
  return isOwnHost(location.hostname, { names: new Set(hosts), hosts: [], adminHost: undefined });
}

addEventListener('DOMContentLoaded', () => {
  // Without the list, the functions' error tells where to make the offer.
  showOnOtherHost().catch(() => {});
});
