/**
 * What a reply of a mail server is about: the server (connection, login, sender, limit, account, policy), this recipient, or this
 * text. Status codes are those of RFC 3463 and RFC 7372, of Google and of Microsoft.
 */

/** What was sent before the reply: nothing, EHLO or STARTTLS; AUTH; MAIL FROM; RCPT TO; DATA or the text. */
export type Stage = 'connection' | 'login' | 'sender' | 'recipient' | 'text';

/** What does not work, by the ending of its sentence. */
export const SERVER_PROBLEMS = {
  unreachable: 'cannot be reached.',
  tls: 'offers no TLS with a valid certificate: check host, port and scheme of SMTP_URL.',
  silent: 'ends connections or does not respond in time.',
  connection: 'does not accept the connection: see its reply.',
  busy: 'accepts no messages for the moment.',
  login: 'does not accept the login: check user and password in SMTP_URL.',
  sender: 'does not accept the sender: check MAIL_FROM.',
  limit: 'accepts no more messages for now: a limit of the account is reached.',
  account: 'has blocked the account: see its reply, and ask the provider.',
  policy: 'does not accept the messages: see its reply.',
} as const;
export type ServerProblem = keyof typeof SERVER_PROBLEMS;

/** `recipient` and `text`: this message is not tried again; `later`: this message alone is. */
export type Verdict = ServerProblem | 'recipient' | 'text' | 'later';

/** Once a recipient is named. */
const NAMED: readonly Stage[] = ['recipient', 'text'];
const FROM_SENDER_ON: readonly Stage[] = ['sender', ...NAMED];

/**
 * The first row that matches `550 5.7.1` (a code, with the status where the reply has one) counts. About the server at a stage of
 * `NAMED` means `later` where a visitor entered the address, unless the row has another verdict for that.
 */
const REPLIES: readonly (readonly [
  stages: readonly Stage[],
  reply: RegExp,
  verdict: Verdict,
  toVisitor?: Verdict,
])[] = [
  [['connection'], /^/, 'connection'],
  [['login'], /^/, 'login'],
  // MAIL FROM names the size of the text.
  [['sender'], /^552$|^5\d\d 5\.(?:2\.3|3\.4)$/, 'text'],
  [FROM_SENDER_ON, /^53[0458]| [45]\.7\.(?:3|8|9|1[0124]|30|57|139)$/, 'login'],
  [FROM_SENDER_ON, / [45]\.(?:1\.[78]|2\.252|7\.2[0-7]|7\.60)$/, 'sender'],
  // 454 without a status: Amazon SES.
  [FROM_SENDER_ON, /^454$| [45]\.(?:1\.90|4\.5|7\.28)$/, 'limit'],
  [FROM_SENDER_ON, / 5\.7\.(?:13|50\d|51[01]|6[0-4]\d|70\d|750)$/, 'account'],
  [['sender'], /^4/, 'busy'],
  [['sender'], /^/, 'sender'],
  [NAMED, /^421/, 'busy'],
  [NAMED, /^4/, 'later'],
  // Relaying is rejected so, before the server knows any text.
  [['recipient'], /^554| 5\.7\.1$/, 'policy', 'recipient'],
  [['recipient'], /^/, 'recipient'],
  [['text'], /^/, 'text'],
];

/** @param isVisitors whether a visitor entered the recipient's address */
export function judgeReply(stage: Stage, reply: string, isVisitors: boolean): Verdict {
  const [, , verdict = 'later', toVisitor] =
    REPLIES.find(([stages, pattern]) => stages.includes(stage) && pattern.test(reply)) ?? [];
  if (!isVisitors || !NAMED.includes(stage)) return verdict;
  return toVisitor ?? (isServerProblem(verdict) ? 'later' : verdict);
}

export function isServerProblem(verdict: Verdict): verdict is ServerProblem {
  return Object.hasOwn(SERVER_PROBLEMS, verdict);
}

/** `550 5.7.1` of a line of a reply; undefined where it is none. */
export function codesOf(line: string): string | undefined {
  const [, code, status] = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3})(?!\S))?/.exec(line) ?? [];
  return code && (status ? `${code} ${status}` : code);
}
