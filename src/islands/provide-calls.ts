import { ownProvider } from '../api/bot-check/own-provider.ts';
import { sendOffer } from '../api/order-submit.ts';
import { $calls } from '../stores/calls.ts';

$calls.set({ provider: ownProvider, sendOffer });
