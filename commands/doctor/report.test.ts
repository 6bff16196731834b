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

test('10,000 names: many rows of one kind are counted', () => {
  const findings = Array.from({ length: 10_000 }, (_, index) =>
    hostFindings(`name${index}.app`, index % 2 === 0 ? 'fail' : 'ok'),
  ).flat();
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
  const findings: Finding[] = [{ status: 'warn', check: 'spf', message }];
  const table = renderTable(reportOf(findings, { names: 1, hosts: 1 }, START));
  assert.match(table, /“v=spf1 \uFFFD\[2J\uFFFD\uFFFD \| next x+ …$/m);
  assert.ok(table.length < 1_500);
});
