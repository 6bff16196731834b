/** On the server, what `#island-runtime` stands for: elements of the browser's do not exist there. */
export {};
