import { useQuery } from '@tanstack/react-query';
import type { Build } from '#contract/names.ts';
import type { Save } from '../stores/name-changes.ts';
import { nameChanges } from '../stores/names-admin.ts';
import { Command } from './Command.tsx';
import { formatTime } from './format-date.ts';
import { Icon } from './Icon.tsx';

/** What became of a change, with the build that follows it. */
type Saved = Extract<Save, { status: 'saved' | 'live' }>;

/** `Saved 4:31 PM`, then the build of the pages, then `Live`. */
export function NameSteps({ save }: { save: Saved }) {
  const { data: build } = useQuery(nameChanges.buildQuery);
  const isLive = save.status === 'live';
  const stopped = isLive ? undefined : stoppedBy(build);
  return (
    <>
      <ol className="name-steps">
        <Step status="done" text={`Saved ${formatTime(save.at)}`} />
        <Step
          status={isLive ? 'done' : stopped ? 'failed' : 'present'}
          text={isLive ? 'Pages are built' : (stopped ?? waitOf(build))}
        />
        <Step status={isLive ? 'done' : 'later'} text="Live" />
      </ol>
      {!isLive && stopped && build?.command && <Command text={build.command} />}
    </>
  );
}

function Step({ status, text }: { status: 'done' | 'present' | 'later' | 'failed'; text: string }) {
  return (
    <li data-step={status}>
      <i>{status === 'done' && <Icon name="check" />}</i>
      <span key={text}>{text}</span>
    </li>
  );
}

/** The same in a closed row, in two words. */
export function StepMark({ save }: { save: Save }) {
  const { data: build } = useQuery(nameChanges.buildQuery);
  switch (save.status) {
    case 'saving':
      return <Mark text="Saving…" />;
    case 'failed':
      return <Mark status="failed" text="Not saved" />;
    case 'live':
      return <Mark status="done" text="Live" />;
    case 'saved':
      return stoppedBy(build) ? <Mark status="failed" text="Not built" /> : <Mark text="Saved, not live" />;
  }
}

function Mark({ text, status }: { text: string; status?: 'done' | 'failed' }) {
  return (
    <span className="step-mark" data-step={status}>
      {status === 'done' && <Icon name="check" />}
      <span key={text}>{text}</span>
    </span>
  );
}

/** Why the pages are not built, in words; undefined while they will be. */
function stoppedBy(build: Build | undefined): string | undefined {
  switch (build?.status) {
    case 'failed':
      return `Pages were not built: ${build.problem ?? 'see the log of the server'}`;
    case 'no_memory':
      return (
        build.problem ?? 'Pages are not built: too little memory is free. Build them where there is more.'
      );
    default:
      return undefined;
  }
}

function waitOf(build: Build | undefined): string {
  if (build?.status === 'too_many')
    return build.problem ?? 'Pages are built later: there were many builds in a short time';
  const seconds = build?.about_seconds;
  const about = seconds == null ? '' : `, about ${seconds} s`;
  return build?.status === 'waiting' ? `Pages are built next${about}` : `Pages are built${about}`;
}
