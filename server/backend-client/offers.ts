/** Reads, counts, judges, erases and purges the offers of a project. */
import type { Returned } from '#contract/calls.ts';
import type { Offer } from '#contract/offer.ts';
import type { Project } from './project.ts';

/** Number of offers in one read. */
const READ_BATCH = 1_000;

type ReadOffer = Offer & { message?: string };

/** Every offer, newest first, in pages; the first page is read before this returns. */
export async function readOffers(
  project: Project,
  pageSize = READ_BATCH,
): Promise<{ hasMessages: boolean; offers: AsyncGenerator<ReadOffer> }> {
  const readPage = async (last?: ReadOffer) => {
    const { offers, has_messages } = await project.call('export_offers', {
      page_size: pageSize,
      ...(last ? { before_created_at: last.created_at, before_id: last.id } : {}),
    });
    return { offers: offers as unknown as ReadOffer[], has_messages };
  };
  const first = await readPage();
  async function* offers() {
    for (let page = first; ; page = await readPage(page.offers.at(-1))) {
      yield* page.offers;
      if (page.offers.length < pageSize) return;
    }
  }
  return { hasMessages: first.has_messages, offers: offers() };
}

/** Counts the offers that are no newer than a given one, or all. */
export async function countOffers(
  project: Project,
  newest?: Pick<Offer, 'created_at' | 'id'>,
): Promise<number> {
  const args = newest ? { newest_created_at: newest.created_at, newest_id: newest.id } : {};
  return await project.call('count_offers', args);
}

/** Erases the offers of a customer. @returns their number */
export async function eraseCustomer(project: Project, email: string): Promise<number> {
  return await project.call('erase_customer', { email });
}

/**
 * Everything that is stored about an email, in any letter case. Without the reasons of failed attempts: they name the owner's
 * mail server.
 */
export async function readCustomer(project: Project, email: string): Promise<Returned<'read_customer'>> {
  const { offers, mails } = await project.call('read_customer', { email });
  return { offers, mails: mails.map(({ reason: _, ...mail }) => mail) };
}

/** Counts closed offers whose status last changed that long ago; with `purge` deletes them. @param olderThan such as `24 months` */
export async function purgeOffers(
  project: Project,
  args: { olderThan: string; accepted: boolean; purge: boolean },
): Promise<number> {
  const { olderThan, accepted, purge } = args;
  return await project.call('purge_offers', { older_than: olderThan, accepted, purge });
}

export type UnansweredOffers = Returned<'read_unanswered'>;

/** Counts the offers that are still new after some hours, without those that are held. */
export async function readUnanswered(
  project: Project,
  hours: number,
  timeoutMs: number,
): Promise<UnansweredOffers> {
  return await project.call('read_unanswered', { hours }, timeoutMs);
}
