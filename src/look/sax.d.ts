/** The part of sax 1.6 that is used: it comes without types. */
declare module 'sax' {
  export interface Tag {
    name: string;
    attributes: Record<string, string>;
  }

  export interface SaxParser {
    onerror: (error: Error) => void;
    onopentag: (tag: Tag) => void;
    onclosetag: (name: string) => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    ondoctype: (text: string) => void;
    onprocessinginstruction: (instruction: { name: string; body: string }) => void;
    /** Offset after the `<` of the tag that is read. */
    startTagPosition: number;
    /** Offset of the next character. */
    position: number;
    write(text: string): SaxParser;
    close(): SaxParser;
  }

  const sax: { parser(strict: boolean, options: { strictEntities: boolean }): SaxParser };
  export default sax;
}
