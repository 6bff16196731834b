/** Sends the deliveries in DELIVERIES with the settings in the environment, and prints the outcomes. */
import process from 'node:process';
import { readMessageSettings } from '../_shared/contract/message-settings.ts';
import type { Delivery } from './delivery.ts';
import { createSend } from './send.ts';

const read = readMessageSettings(process.env);
if (read.problem) throw new Error(read.problem);
const send = createSend({
  messages: read.settings,
  readSite: async () => ({ siteUrl: 'https://admin.example', language: 'en' }),
});
const deliveries = JSON.parse(process.env.DELIVERIES ?? '[]') as Delivery[];
const outcomes = [];
for (const delivery of deliveries) outcomes.push(await send(delivery));
console.log(JSON.stringify(outcomes));
