/** Whether a page may load a script. Runs in the page. */
export function loadsScript(url: string): Promise<boolean> {
  const script = document.createElement('script');
  script.src = url;
  document.head.append(script);
  return new Promise((done) => {
    script.onload = () => done(true);
    script.onerror = () => done(false);
  });
}
