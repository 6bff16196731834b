/** Whether inserting rows at the top of the list moves nothing under the pointer or the focus. */
export function isListIdle(): boolean {
  const tables = [...document.querySelectorAll('.dashboard table')];
  const top = tables[0]?.getBoundingClientRect().top ?? 0;
  return top >= 0 && !tables.some((table) => table.matches(':hover, :focus-within'));
}
