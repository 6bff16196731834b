/** `npm run admin -- factor EMAIL [--remove]`: enrols a second factor at the terminal, or removes it. */
import { createInterface } from 'node:readline/promises';
import encodeQR from 'qr';
import * as z from 'zod/mini';
import { readRejection } from '#contract/rejections.ts';
import { consoleOf, type Io } from '../../process/command.ts';
import { UserError } from '../../process/user-error.ts';
import { findRow } from '../../server/backend-client/administrators.ts';
import type { Project } from '../../server/backend-client/project.ts';

const SecretSchema = z.object({ url: z.string(), sealed: z.string() });
const RecoverySchema = z.object({ recovery_codes: z.array(z.string()) });

/** @throws UserError where there is none */
export async function removeFactor(project: Project, email: string): Promise<string[]> {
  const row = await findRow(project, email);
  if (!(await project.call('remove_factor', { user_id: row.user_id }))) {
    throw new UserError(`${row.email} has no second factor. Enrol one: npm run admin -- factor ${row.email}`);
  }
  return [`${row.email} has no second factor any more, and is signed out.`];
}

/** Shows a secret, asks for a code of it, and returns the recovery codes. @throws UserError without a terminal */
export async function enrolFactor(project: Project, email: string, io: Io): Promise<string[]> {
  const { stdin: input, stdout: output } = io;
  if (!input.isTTY || !output.isTTY) {
    throw new UserError(
      'Nothing was changed: a second factor is enrolled at a terminal, which shows a QR code and asks for a code. ' +
        'Run this in one.',
    );
  }
  const { user_id, has_factor, email: stored } = await findRow(project, email);
  if (has_factor) {
    throw new UserError(
      `${stored} has a second factor already. Remove it first: npm run admin -- factor ${stored} --remove`,
    );
  }
  const send = async <Schema extends z.ZodMiniType>(schema: Schema, body: object = {}) => {
    const response = await project.enrolFactor({ user_id, email: stored, ...body });
    const parsed = schema.safeParse(response);
    if (parsed.success) return parsed.data;
    const { error } = readRejection(response);
    throw new UserError(
      `The second factor was not enrolled: ${error ?? `no response of admin-auth. ${project.onWrongResponse}`} ` +
        `To begin again: npm run admin -- factor ${stored}`,
    );
  };
  const { url, sealed } = await send(SecretSchema);
  consoleOf(io).log(`${qrCode(url)}\nScan this with your authenticator app, or open there:\n${url}\n`);
  const terminal = createInterface({ input, output });
  const code = await terminal.question('The code that it shows: ').finally(() => terminal.close());
  const { recovery_codes } = await send(RecoverySchema, { sealed, code });
  return [
    `${stored} signs in with a code from now on, and is signed out.`,
    'Recovery codes, each for one sign-in without the app. They are shown once and stored nowhere:',
    ...recovery_codes.map((one) => `  ${one}`),
  ];
}

/** Two modules a character, white on black whatever the terminal's colours, to fit 80 columns. */
function qrCode(url: string): string {
  return encodeQR(url, 'ascii', { ecc: 'low' }).replaceAll(/^.+$/gm, '\x1b[97;40m$&\x1b[0m');
}
