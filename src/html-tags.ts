/**
 * Finds the tags of a page that this build made: scripts and styles whole (with `name`, `attributes` and `content`),
 * comments, and other tags with their attributes, because what looks like a script in an attribute is a text.
 */
export const HTML_TAGS =
  /<(?<name>script|style)\b(?<attributes>[^>]*)>(?<content>[\s\S]*?)<\/\k<name>>|<!--[\s\S]*?-->|<[a-z](?:"[^"]*"|'[^']*'|[^"'>])*>/gi;
