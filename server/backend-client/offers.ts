/** Reads the offers of a project, and what it has of a customer. */
import type { Returned } from '#contract/calls.ts';
import type { ExportedOffer } from '#contract/offers-csv.ts';
import type { Project } from './project.ts';

/** Number of offers in one read. */
const READ_BATCH = 1_000;

/** Every offer, newest first, in pages; the first page is read before this returns. */
export async function readOffers(
  project: Project,
  pageSize = READ_BATCH,
): Promise<{ hasMessages: boolean; offers: AsyncGenerator<ExportedOffer> }> {
  const readPage = async (last?: ExportedOffer) => {
    const { offers, has_messages } = await project.call('export_offers', {
      page_size: pageSize,
      ...(last ? { before_created_at: last.created_at, before_id: last.id } : {}),
    });
    return { offers: offers as unknown as ExportedOffer[], has_messages };
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

/**
 * Everything that is stored about an email, in any letter case. Without the reasons of failed attempts: they name the owner's
 * mail server.
 */
export async function readCustomer(project: Project, email: string): Promise<Returned<'read_customer'>> {
  const { offers, mails } = await project.call('read_customer', { email });
  return { offers, mails: mails.map(({ reason: _, ...mail }) => mail) };
}
