/** The moves of offers and their deals, connected to the backend. Loaded with the first row that is opened. */
import { createNegotiationApi } from '../api/negotiation.ts';
import { supabase } from '../api/supabase.ts';
import { cache, offersStore } from './admin.ts';
import { createNegotiation } from './negotiation.ts';

export const {
  $drafts,
  $overtaken,
  $ticked,
  negotiationQuery,
  previewQuery,
  negotiate,
  writeDraft,
  dropDraft,
} = createNegotiation(createNegotiationApi(supabase), offersStore, cache);
