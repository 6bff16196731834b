/** Downloads a CSV file that the page has made. */
export function saveFile(name: string, lines: string[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(lines, { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
