/** Replaces `#island-runtime` on the server, where custom elements do not exist. */
export {};
