/**
 * Members by their object that one of the browsers of the build's target lacks (Safari 16.4, Chrome 111, Firefox 114) and
 * all have today, by MDN's browser-compat-data of November 2026: JavaScript's own, and those of pages with forms and
 * requests. No graphics, audio, video, WebRTC and the like.
 */
export const NEWER_APIS: Readonly<Record<string, string>> = {
  Window:
    'AsyncDisposableStack CloseWatcher CommandEvent CookieChangeEvent CookieStore CustomStateSet DisposableStack Float16Array Highlight HighlightRegistry NavigateEvent Navigation NavigationActivation NavigationCurrentEntryChangeEvent NavigationDestination NavigationHistoryEntry NavigationPrecommitController NavigationTransition Report ReportBody ReportingObserver ScrollTimeline Temporal ToggleEvent TrustedHTML TrustedScript TrustedScriptURL TrustedTypePolicy TrustedTypePolicyFactory URLPattern UserActivation ViewTimeline ViewTransition ViewTransitionTypeSet WakeLock WakeLockSentinel cookieStore navigation originAgentCluster requestIdleCallback scheduler trustedTypes',
  AbortSignal: 'any timeout',
  Array: 'fromAsync toReversed toSorted toSpliced with',
  ArrayBuffer: 'detached maxByteLength resizable resize transfer transferToFixedLength',
  Atomics: 'pause waitAsync',
  Blob: 'bytes',
  CSS: 'highlights registerProperty',
  CustomElementRegistry: 'getName initialize',
  DataView: 'getFloat16 setFloat16',
  Date: 'toTemporalInstant',
  Document:
    'activeViewTransition caretPositionFromPoint caretRangeFromPoint customElementRegistry parseHTMLUnsafe startViewTransition',
  Element: 'checkVisibility currentCSSZoom customElementRegistry getHTML moveBefore setHTMLUnsafe',
  Error: 'isError',
  Headers: 'getSetCookie',
  HTMLButtonElement: 'command commandForElement popoverTargetAction popoverTargetElement',
  HTMLDetailsElement: 'name',
  HTMLDialogElement: 'closedBy requestClose',
  HTMLElement: 'autocorrect hidePopover popover showPopover togglePopover',
  HTMLImageElement: 'fetchPriority',
  HTMLInputElement: 'popoverTargetAction popoverTargetElement',
  HTMLLinkElement: 'fetchPriority',
  HTMLScriptElement: 'fetchPriority',
  IntersectionObserver: 'scrollMargin',
  Intl: 'DurationFormat Segmenter',
  Iterator:
    'concat drop every filter find flatMap forEach from includes join map reduce some take toArray zip zipKeyed',
  JSON: 'isRawJSON rawJSON',
  Map: 'getOrInsert getOrInsertComputed groupBy',
  Math: 'f16round sumPrecise',
  Navigator: 'gpu userActivation wakeLock',
  Object: 'groupBy',
  PopStateEvent: 'hasUAVisualTransition',
  Promise: 'try withResolvers',
  ReadableStream: 'values',
  RegExp: 'escape',
  Request: 'bytes',
  Response: 'bytes json',
  Selection: 'direction getComposedRanges',
  Set: 'difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union',
  ShadowRoot: 'clonable customElementRegistry getHTML serializable setHTMLUnsafe',
  String: 'isWellFormed toWellFormed',
  Symbol: 'asyncDispose dispose',
  TypedArray: 'toReversed toSorted with',
  Uint8Array: 'fromBase64 fromHex setFromBase64 setFromHex toBase64 toHex',
  URL: 'canParse parse',
  URLSearchParams: 'size',
  WeakMap: 'getOrInsert getOrInsertComputed',
};

/** Deletes them. Runs in the page, before its scripts. */
export function deleteApis(apis: Readonly<Record<string, string>>): void {
  const all = globalThis as unknown as Record<string, { prototype?: object } | undefined>;
  for (const [name, members] of Object.entries(apis)) {
    const isArray = name === 'TypedArray';
    const owner = name === 'Window' ? globalThis : isArray ? Object.getPrototypeOf(Int8Array) : all[name];
    for (const member of members.split(' ')) {
      // Not the method as well: `Response.json()` is newer, that of a response is not.
      const place = owner && (member in owner ? owner : owner.prototype);
      if (place) Reflect.deleteProperty(place, member);
    }
  }
}
