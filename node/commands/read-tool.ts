import { type Control, callTool } from '../embedded-backend/call-owner-tool.ts';

/** Calls a tool of the embedded database, by POST where there is a body. Returns the JSON of its response. */
export async function readTool<Result>(control: Control, tool: string, body?: string): Promise<Result> {
  const response = await callTool(control, tool, body === undefined ? {} : { method: 'POST', body });
  return (await response.json()) as Result;
}
