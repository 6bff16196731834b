import { useShownName } from './shown-names.ts';

/**
 * As a person reads it, and where it is too long for its column, broken before its ending first; the pointer tells how
 * the domain name system has it.
 */
export function OfferedDomain({ name }: { name: string }) {
  const shown = useShownName(name);
  const dot = shown.lastIndexOf('.');
  return (
    <bdi title={shown === name ? undefined : name}>
      {shown.slice(0, dot)}
      <wbr />
      {shown.slice(dot)}
    </bdi>
  );
}
