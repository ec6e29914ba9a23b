/** Journeys in real Chromium against the production build on a database of their own. */
declare const _default: import("@playwright/test").PlaywrightTestConfig<{}, {}>;
export default _default;
