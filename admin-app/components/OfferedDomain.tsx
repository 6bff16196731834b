import { useShownName } from './shown-names.ts';

/**
 * The decoded name, which breaks before its ending first if it is too long for its column; the tooltip shows the ASCII
 * form.
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
