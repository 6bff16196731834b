/** A DNS server on loopback for tests. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
const [NOERROR, SERVFAIL, NXDOMAIN] = [0, 2, 3];
const HEADER_BYTES = 12;

/** A text for A and CNAME, several for TXT (a long one in parts); `SERVFAIL`; or nothing is sent at all. */
export type Zone = Record<
  string,
  'no response' | 'SERVFAIL' | { A?: string[]; AAAA?: string[] | 'SERVFAIL'; CNAME?: string; TXT?: string[] }
>;

export interface FakeDnsServer extends AsyncDisposable {
  /** `127.0.0.1:PORT` */
  readonly address: string;
  /** May be changed. Names that are not in it do not exist. */
  readonly zone: Zone;
}

export async function startDnsServer(zone: Zone): Promise<FakeDnsServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const response = respond(query, zone);
    if (response) socket.send(response, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function respond(query: Buffer, zone: Zone): Buffer | undefined {
  const { name, end } = readName(query);
  const type = query.readUInt16BE(end);
  const question = query.subarray(HEADER_BYTES, end + 4);
  const entry = zone[name.toLowerCase()];
  if (entry === 'no response') return undefined;
  const isFailing = entry === 'SERVFAIL' || (type === TYPES.AAAA && entry?.AAAA === 'SERVFAIL');
  if (isFailing) return message(query, question, SERVFAIL, []);
  // As resolvers do: a query for the CNAME gets it alone, any other also the records of its target.
  const alias = entry?.CNAME;
  const target = alias === undefined || type === TYPES.CNAME ? entry : zone[alias];
  const records = typeof target === 'object' ? recordsOf(target, type) : [];
  const owner = alias === undefined ? name : alias;
  const answers = [
    ...(alias === undefined ? [] : [record(name, TYPES.CNAME, nameBytes(alias))]),
    ...records.map((data) => record(owner, type, data)),
  ];
  return message(query, question, target === undefined ? NXDOMAIN : NOERROR, answers);
}

function recordsOf(entry: Exclude<Zone[string], string>, type: number): Buffer[] {
  switch (type) {
    case TYPES.A:
      return (entry.A ?? []).map((ip) => Buffer.from(ip.split('.').map(Number)));
    case TYPES.AAAA:
      return [entry.AAAA ?? []].flat().map(ipv6Bytes);
    case TYPES.TXT:
      return (entry.TXT ?? []).map((text) =>
        Buffer.concat(
          (text.match(/.{1,255}/g) ?? []).map((part) => Buffer.from([part.length, ...Buffer.from(part)])),
        ),
      );
    default:
      return [];
  }
}

/** Only the form with all eight groups. */
function ipv6Bytes(ip: string): Buffer {
  const bytes = Buffer.alloc(16);
  for (const [index, group] of ip.split(':').entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  return bytes;
}

function message(query: Buffer, question: Buffer, code: number, answers: Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  // A response, recursion desired and available.
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, question, ...answers]);
}

function record(name: string, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(60, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), head, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString());
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}
