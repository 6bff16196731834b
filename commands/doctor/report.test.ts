import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from './finding.ts';
import { renderTable, reportOf } from './report.ts';

const START = new Date('2026-11-23T12:00:00Z');

function hostFindings(host: string, page: Finding['status'] = 'ok'): Finding[] {
  return [
    { status: 'ok', check: 'dns', subject: host, message: 'Points to 192.0.2.1.' },
    { status: page, check: 'page', subject: host, message: 'About the page.' },
  ];
}

test('the worst finding decides, and what was not checked decides nothing', () => {
  const statusOf = (...statuses: Finding['status'][]) => {
    const findings = statuses.map((status): Finding => ({ status, check: 'disk', message: '' }));
    return reportOf(findings, { names: 0, hosts: 0 }, START).status;
  };
  assert.equal(statusOf('ok', 'skip'), 'ok');
  assert.equal(statusOf('ok', 'warn', 'skip'), 'warn');
  assert.equal(statusOf('warn', 'fail', 'ok'), 'fail');
});

test('few names: the worst comes first, and a host without problems is one row', () => {
  const findings: Finding[] = [
    { status: 'ok', check: 'disk', message: 'Much is free.' },
    ...hostFindings('lap.app'),
    ...hostFindings('site.example', 'fail'),
  ];
  const end = new Date(START.getTime() + 3_000);
  const report = reportOf(findings, { names: 2, hosts: 2 }, START, end);
  assert.equal(
    renderTable(report),
    [
      'status  check  what          found',
      'fail    page   site.example  About the page.',
      'ok      disk                 Much is free.',
      'ok      host   lap.app       Points to 192.0.2.1. About the page.',
      'ok      dns    site.example  Points to 192.0.2.1.',
      '',
      '1 failed, 0 warnings, 4 ok, 0 not checked (2 names, 2 hosts, 3 s).',
      '',
    ].join('\n'),
  );
});

test('hosts of which the same was found are one row, the first of them by name', () => {
  const noDns = (host: string): Finding => ({
    status: 'fail',
    check: 'dns',
    subject: host,
    message: 'There is no such name in DNS (NXDOMAIN).',
  });
  const findings = [
    ...Array.from({ length: 1_041 }, (_, index) => noDns(`name${index}.app`)),
    { ...noDns('other.app'), message: 'DNS failed (ETIMEOUT).' },
    ...hostFindings('lap.app'),
    ...hostFindings('tap.app'),
    { status: 'ok', check: 'disk', subject: '/a', message: 'Much is free.' },
    { status: 'ok', check: 'disk', subject: '/b', message: 'Much is free.' },
  ] satisfies Finding[];
  const report = reportOf(findings, { names: 1_044, hosts: 1_044 }, START, START);
  assert.equal(report.findings.length, findings.length);
  assert.equal(
    renderTable(report),
    [
      'status  check  what         found',
      'fail    dns    1,041 hosts  There is no such name in DNS (NXDOMAIN). (name0.app, name1.app, name2.app, name3.app, name4.app and 1,036 more)',
      'fail    dns    other.app    DNS failed (ETIMEOUT).',
      'ok      host   2 hosts      Points to 192.0.2.1. About the page. (lap.app, tap.app)',
      'ok      disk   /a           Much is free.',
      'ok      disk   /b           Much is free.',
      '',
      '1042 failed, 0 warnings, 6 ok, 0 not checked (1,044 names, 1,044 hosts, 0 s).',
      '',
    ].join('\n'),
  );
});

test('a warning, and what was not checked, have rows of their own beside a host’s good ones, and are joined by status and check', () => {
  const findings = [
    ...hostFindings('warned.app', 'warn'),
    ...hostFindings('skipped.app', 'skip'),
    { status: 'warn', check: 'redirect', subject: 'other.app', message: 'About the page.' },
  ] satisfies Finding[];
  const report = reportOf(findings, { names: 3, hosts: 3 }, START, START);
  const [, ...rows] = renderTable(report).trim().split('\n');
  assert.deepEqual(
    rows.map((row) => row.replaceAll(/ {2,}/g, ' ')),
    [
      'warn page warned.app About the page.',
      'warn redirect other.app About the page.',
      'skip page skipped.app About the page.',
      'ok dns 2 hosts Points to 192.0.2.1. (warned.app, skipped.app)',
      '',
      '0 failed, 2 warnings, 2 ok, 1 not checked (3 names, 3 hosts, 0 s).',
    ],
  );
});

test('10,000 names: many rows of one kind are counted', () => {
  const findings = Array.from({ length: 10_000 }, (_, index): Finding[] => [
    { status: 'ok', check: 'dns', subject: `name${index}.app`, message: `Points to ${index}.` },
    {
      status: index % 2 === 0 ? 'fail' : 'ok',
      check: 'page',
      subject: `name${index}.app`,
      message: `Page ${index}.`,
    },
  ]).flat();
  const lines = renderTable(reportOf(findings, { names: 10_000, hosts: 20_000 }, START, START)).split('\n');
  assert.equal(lines.filter((line) => line.startsWith('fail')).length, 21);
  // Half of the hosts with fine DNS, and the other half without any problem.
  assert.equal(lines.filter((line) => line.startsWith('ok')).length, 42);
  assert.match(lines.join('\n'), /… and 4,980 more: see --json, or --name/);
  assert.match(
    lines.at(-2) ?? '',
    /^5000 failed, 0 warnings, 15000 ok, 0 not checked \(10,000 names, 20,000 hosts/,
  );
});

test('a text of another server cannot steer the terminal or fill it', () => {
  const message = `“v=spf1 \u001b[2J\u009b\u202e\nnext ${'x'.repeat(5_000)}”`;
  const findings: Finding[] = [{ status: 'warn', check: 'spf', subject: 'a\u001b[2J.app', message }];
  const table = renderTable(reportOf(findings, { names: 1, hosts: 1 }, START));
  assert.match(table, /a\uFFFD\[2J\.app +“v=spf1 \uFFFD\[2J\uFFFD\uFFFD \| next x+ …$/m);
  assert.ok(table.length < 1_500);
  assert.match(table, /^0 failed, 1 warning, /m);
});
