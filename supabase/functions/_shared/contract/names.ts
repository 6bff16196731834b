/**
 * Requests and responses of `/admin/catalogue`, with which the dashboard reads and changes the catalogue's file. It is on admin
 * hosts alone, and only beside the embedded backend: 404 elsewhere. Each request has `authorization: Bearer <access token>`, a
 * POST also `content-type: application/json`. A response that is not a success has `error` and `code`; see NameRejectionSchema.
 */
import * as z from 'zod/mini';

export { CATALOGUE_PATH } from './catalogue-path.ts';

/** Most changes of one request, and most lines of a pasted list. */
export const MAX_NAME_CHANGES = 500;
/** Most names whose values are read at once. */
export const MAX_NAMES_READ = 100;
/** Longest new value, in code points. */
export const MAX_NAME_VALUE = 500;
/** Longest value that the file has, in code points; a longer one is changed in the file. */
const MAX_FORMER_VALUE = 5_000;
/** Longest pasted list, in code points. */
export const MAX_PASTED = 50_000;

const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** `state`, `price`, `minimum`, or `description` with a language: `description.en`. */
const NAME_FIELD_PATTERN = /^(?:state|price|minimum|description\.[a-z]{2,3}(?:-[A-Za-z]{2,4})?)$/;

/* @__NO_SIDE_EFFECTS__ */
function text(most: number) {
  return z.string().check(z.refine((value) => value.isWellFormed() && [...value].length <= most));
}

const name = /* @__PURE__ */ (() => z.string().check(z.maxLength(253), z.regex(DOMAIN)))();
const field = /* @__PURE__ */ (() => z.string().check(z.regex(NAME_FIELD_PATTERN)))();
const batch = /* @__PURE__ */ (() => z.uuid())();

/**
 * One field of one name. Values are the owner's texts as the file has them. Null: the entry has no value of its own, so that the
 * one of `defaults` counts, if there is one. `state` is `sold`, `reserved` or null, which is for sale.
 */
const NameChangeSchema = /* @__PURE__ */ (() =>
  z.strictObject({
    name,
    field,
    /** What the page showed: 409 `changed` where the file has another one. Null for a value of `defaults`. */
    from: z.nullable(text(MAX_FORMER_VALUE)),
    /** Null removes the own value. */
    to: z.nullable(text(MAX_NAME_VALUE)),
  }))();
export type NameChange = z.infer<typeof NameChangeSchema>;

function areDistinct(changes: readonly NameChange[]): boolean {
  return new Set(changes.map(({ name, field }) => `${name} ${field}`)).size === changes.length;
}

/** The body of a POST. */
export const NamesRequestSchema = /* @__PURE__ */ (() =>
  z.discriminatedUnion('action', [
    z.strictObject({
      action: z.literal('read'),
      /** None: only whether there is a file, and whether it can be written. */
      names: z.array(name).check(z.maxLength(MAX_NAMES_READ)),
    }),
    z.strictObject({
      action: z.literal('change'),
      /** Chosen by the page, new for each change. The same one sent again changes nothing twice. */
      batch,
      /** Each field of a name once. */
      changes: z
        .array(NameChangeSchema)
        .check(z.minLength(1), z.maxLength(MAX_NAME_CHANGES), z.refine(areDistinct)),
    }),
    /** What `add` would do. Nothing is written. */
    z.strictObject({ action: z.literal('plan'), text: text(MAX_PASTED) }),
    /** Adds the names of a list, and sets the prices of those that are there. */
    z.strictObject({
      action: z.literal('add'),
      batch,
      text: text(MAX_PASTED),
      /** `id` of the plan that the page showed: 409 `plan_changed` where it is another one now. */
      plan: text(64),
    }),
    /** Makes the owner's catalogue as a copy of the sample. */
    z.strictObject({ action: z.literal('init') }),
  ]))();
export type NamesRequest = z.infer<typeof NamesRequestSchema>;

/** The pages that are made after a change. */
const BuildSchema = /* @__PURE__ */ (() =>
  z.object({
    /**
     * `waiting`: another build runs, or a moment for more changes. `too_many`: a limit of builds is reached, and the next one
     * begins later. `no_memory`: none is begun; `command` builds where there is more. `failed`: `problem` is its error.
     */
    status: z.enum(['idle', 'waiting', 'building', 'failed', 'no_memory', 'too_many']),
    /** What the last build took, in whole seconds; null where none is known. */
    about_seconds: z.nullable(z.number()),
    /** Batches that the pages do not show yet. */
    changes: z.array(z.string()),
    /** Batches that the pages show, of the last minutes. */
    live: z.array(z.string()),
    problem: z.optional(z.string()),
    command: z.optional(z.string()),
  }))();
export type Build = z.infer<typeof BuildSchema>;

/** The response to GET. */
export const BuildResponseSchema = /* @__PURE__ */ (() => z.object({ build: BuildSchema }))();

const ShownValueSchema = /* @__PURE__ */ (() =>
  z.object({
    /** As pages have it: `{domain}` of a default is filled in. Null: none. */
    value: z.nullable(z.string()),
    /** It is the one of `defaults`: `from` of a change is null then. */
    is_default: z.boolean(),
  }))();
export type ShownValue = z.infer<typeof ShownValueSchema>;

const NameValuesSchema = /* @__PURE__ */ (() =>
  z.object({
    state: ShownValueSchema,
    price: ShownValueSchema,
    minimum: ShownValueSchema,
    /** By language, one for each of `languages`. */
    description: z.record(z.string(), ShownValueSchema),
  }))();
export type NameValues = z.infer<typeof NameValuesSchema>;

/** The response to `read`. */
export const NamesReadSchema = /* @__PURE__ */ (() =>
  z.object({
    /** `sample`: `init` makes an own one. `read_only`: the product cannot write it, and `problem` says why. */
    file: z.enum(['own', 'sample', 'read_only']),
    /** Where the product cannot write: the beginning of a command on the server, to which its words are added. */
    command: z.optional(z.string()),
    problem: z.optional(z.string()),
    /** The site's languages, the first one first. */
    languages: z.array(z.string()),
    /** Longest new description, in code points. */
    max_description: z.number(),
    /** The file's path, as messages show it. */
    shown: z.string(),
    /** Names that are not in the file are missing. */
    names: z.record(z.string(), NameValuesSchema),
    build: BuildSchema,
  }))();
export type NamesRead = z.infer<typeof NamesReadSchema>;

/** The response to `change`, `add` and `init`. */
export const NamesSavedSchema = /* @__PURE__ */ (() =>
  z.object({
    /** Of the request; absent after `init`. */
    batch: z.optional(z.string()),
    saved_at: z.string(),
    build: BuildSchema,
  }))();
export type NamesSaved = z.infer<typeof NamesSavedSchema>;

/** What a pasted list would do; the response to `plan`. */
export const NamesPlanSchema = /* @__PURE__ */ (() =>
  z.object({
    /** For `add`. Another text, or another file, has another one. */
    id: z.string(),
    added: z.array(z.object({ name: z.string(), price: z.nullable(z.string()) })),
    /** Prices of names that are there; null: none. */
    changed: z.array(z.object({ name: z.string(), from: z.nullable(z.string()), to: z.string() })),
    /** Names that are there with this price. */
    unchanged: z.array(z.string()),
    /** `line` is its number, from 1, `text` what it has. */
    left_out: z.array(z.object({ line: z.number(), text: z.string(), reason: z.string() })),
    /** Of lines that are not left out. */
    warnings: z.array(z.object({ line: z.number(), text: z.string(), warning: z.string() })),
  }))();
export type NamesPlan = z.infer<typeof NamesPlanSchema>;

/** A field whose value is not as it was seen. */
const ChangedFieldSchema = /* @__PURE__ */ (() =>
  z.object({
    name: z.string(),
    field: z.string(),
    /** As `from` of a change. */
    value: z.nullable(z.string()),
  }))();

const NameProblemSchema = /* @__PURE__ */ (() =>
  z.object({
    /** Absent where the problem is not one of an entry. */
    name: z.optional(z.string()),
    /** As in a change; absent where the problem is not one of a field. */
    field: z.optional(z.string()),
    /** The catalogue's own message. */
    message: z.string(),
  }))();
export type NameProblem = z.infer<typeof NameProblemSchema>;

/**
 * The body of every response that is not a success. Codes of its own, besides those of `REJECTIONS`:
 * 409 `unknown_name`, `changed`, `plan_changed`, `sample`, `own_catalogue` (`init` with a file that is there), `read_only`,
 * `wrong_catalogue` (the file has errors that were made by hand), `dropped` (this batch was taken back: save it as a new one) ·
 * 422 `invalid`, `not_possible` (other entries use the value by its anchor), `nothing_to_do`, `too_many_lines` · 429 `too_many_changes` · 503 `locked` (another command changes the file),
 * `disk_full`, `not_written`, `stored_only` (the database has it, and a later start writes it), `busy`.
 */
export const NameRejectionSchema = /* @__PURE__ */ (() =>
  z.object({
    error: z.string(),
    code: z.string(),
    request_id: z.optional(z.string()),
    /** With `changed`. */
    changed: z.optional(z.array(ChangedFieldSchema)),
    /** With `invalid`. */
    problems: z.optional(z.array(NameProblemSchema)),
    /** With `plan_changed`: the plan as it is now. */
    plan: z.optional(NamesPlanSchema),
    /** With `read_only`: does the same on the server. */
    command: z.optional(z.string()),
  }))();
export type NameRejection = z.infer<typeof NameRejectionSchema>;
