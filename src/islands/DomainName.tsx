/** A domain's name that, where it is too long for its line, breaks before its ending first. */
export function DomainName({ name }: { name: string }) {
  const dot = name.lastIndexOf('.');
  return (
    <>
      {name.slice(0, dot)}
      <wbr />
      {name.slice(dot)}
    </>
  );
}
