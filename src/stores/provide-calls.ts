import { ownProvider } from '../api/bot-check/own-provider.ts';
import { sendOffer } from '../api/order-submit.ts';
import { $calls } from './calls.ts';

$calls.set({ provider: ownProvider, sendOffer });
