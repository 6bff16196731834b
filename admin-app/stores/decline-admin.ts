/** Declining other offers, connected to the backend: on both pages, and loaded once it is offered. */
import { createNegotiationApi } from '../api/negotiation.ts';
import { supabase } from '../api/supabase.ts';
import { cache, call } from './admin.ts';
import { createDeclineOthers } from './decline-others.ts';

export const declineOthers = createDeclineOthers(call, createNegotiationApi(supabase), cache);
