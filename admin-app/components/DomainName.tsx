import { useShownName } from './shown-names.ts';

/**
 * The decoded name of a domain, from left to right in any script, as an address bar has it. It breaks before its ending first;
 * the tooltip is the ASCII form. Options and labels, which take no element, have `useShownName`.
 */
export function DomainName({ name }: { name: string }) {
  const shown = useShownName(name);
  const dot = shown.lastIndexOf('.');
  return (
    <bdi key={shown} dir="ltr" title={shown === name ? undefined : name}>
      {shown.slice(0, dot)}
      <wbr />
      {shown.slice(dot)}
    </bdi>
  );
}
